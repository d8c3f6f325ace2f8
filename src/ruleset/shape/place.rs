use crate::types::Pointer;
use std::fmt;

/// Where a value stands, linked to where its parent stands: nothing is built until there is something to report.
#[derive(Clone, Copy)]
pub enum Place<'p> {
    Root,
    Key(&'p Place<'p>, &'p str),
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    pub fn pointer(&self) -> Pointer {
        match self {
            Place::Root => Pointer::root(),
            Place::Key(parent, key) => parent.pointer().at(key),
            Place::Item(parent, index) => parent.pointer().at(index),
        }
    }
}

/// How a message calls it: `` `label` ``, `` `fields[3]` ``.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root => f.write_str("the file"),
            _ => {
                f.write_str("`")?;
                self.name(f)?;
                f.write_str("`")
            }
        }
    }
}

impl Place<'_> {
    fn name(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root => Ok(()),
            Place::Key(_, key) => f.write_str(&crate::json::excerpt(key)),
            Place::Item(list, index) => {
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
        let list = Place::Key(&Place::Root, "a/b");
        let row = Place::Item(&list, 3);
        let cell = Place::Item(&row, 0);
        assert_eq!((cell.to_string(), cell.pointer().to_string()), ("`a/b[3][0]`".to_owned(), "/a~1b/3/0".to_owned()));
        assert_eq!(Place::Root.to_string(), "the file");
    }
}
