//! What an artifact holds.
use crate::types::SafePath;
use std::io;
/// Where unpacked files go.
pub trait Sink {
    fn begin(&mut self, path: &SafePath) -> io::Result<()>;
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}
