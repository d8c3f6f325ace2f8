use crate::types::Pointer;
use std::fmt;

/// Where a value stands, linked to where its parent stands: nothing is built until there is something to report.
#[derive(Clone, Copy)]
pub enum ValuePlace<'p> {
    Root,
    Key(&'p ValuePlace<'p>, &'p str),
    Item(&'p ValuePlace<'p>, usize),
}

impl ValuePlace<'_> {
    pub fn pointer(&self) -> Pointer {
        match self {
            ValuePlace::Root => Pointer::root(),
            ValuePlace::Key(parent, key) => parent.pointer().at(key),
            ValuePlace::Item(parent, index) => parent.pointer().at(index),
        }
    }
}

/// How a message calls it: `` `label` ``, `` `fields[3]` ``.
impl fmt::Display for ValuePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuePlace::Root => f.write_str("the file"),
            _ => {
                f.write_str("`")?;
                self.name(f)?;
                f.write_str("`")
            }
        }
    }
}

impl ValuePlace<'_> {
    fn name(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuePlace::Root => Ok(()),
            ValuePlace::Key(_, key) => f.write_str(&crate::json::excerpt(key)),
            ValuePlace::Item(list, index) => {
                list.name(f)?;
                write!(f, "[{index}]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_called_by_its_key_and_found_by_its_pointer() {
        let list = ValuePlace::Key(&ValuePlace::Root, "a/b");
        let row = ValuePlace::Item(&list, 3);
        let cell = ValuePlace::Item(&row, 0);
        assert_eq!((cell.to_string(), cell.pointer().to_string()), ("`a/b[3][0]`".to_owned(), "/a~1b/3/0".to_owned()));
        assert_eq!(ValuePlace::Root.to_string(), "the file");
    }
}
