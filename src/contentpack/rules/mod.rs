//! Rule files: reading them with what they extend, and their audit.
