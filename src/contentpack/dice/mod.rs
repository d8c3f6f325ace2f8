//! Dice and checks, as a rule declares them, and the audit that recomputes them.
