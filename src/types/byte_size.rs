use serde::{Deserialize, Deserializer, Serialize, de::Error};
use std::fmt;

/// A number of bytes. Reads any JSON number without a fraction, `3.0` included, as the engine does
/// (docs/spec/catalog.md#reading-rules).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ByteSize(pub u64);

impl ByteSize {
    /// So many mebibytes.
    pub const fn mib(n: u64) -> Self {
        ByteSize(n << 20)
    }
}

impl fmt::Display for ByteSize {
    /// With a unit a reader can take in at a glance; units are powers of two, as all the engine's limits are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0 {
            n if n < 1 << 10 => format!("{n} B"),
            n if n < 1 << 20 => format!("{:.1} KiB", n as f64 / 1024.0),
            n => format!("{:.1} MiB", n as f64 / 1_048_576.0),
        };
        f.pad(&text)
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(from)?;
        if let Some(whole) = number.as_u64() {
            return Ok(ByteSize(whole));
        }
        match number.as_f64() {
            // 2^53: above it JavaScript itself no longer tells whole numbers apart.
            Some(n) if n >= 0.0 && n.fract() == 0.0 && n <= 9_007_199_254_740_992.0 => Ok(ByteSize(n as u64)),
            _ => Err(D::Error::custom(format!("{number} is not a whole number of bytes"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_only() {
        let read = |text: &str| serde_json::from_str::<ByteSize>(text).ok().map(|size| size.0);
        assert_eq!(read("3"), Some(3));
        assert_eq!(read("3.0"), Some(3));
        assert_eq!(read("1e3"), Some(1000));
        for wrong in ["3.5", "-1", "1e300", "\"3\"", "null", "true"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn shown_with_a_unit() {
        assert_eq!(ByteSize(812).to_string(), "812 B");
        assert_eq!(ByteSize(1_363_149).to_string(), "1.3 MiB");
    }
}
