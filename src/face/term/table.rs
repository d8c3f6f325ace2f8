//! Columns aligned by what is seen, within the width of the terminal.

use super::{LongWord, Look, Role, clean, cut, width, wrap};
use std::borrow::Cow;

const GAP: usize = 2;
/// No column is made narrower than this; where that is too wide, each row becomes a list of its cells.
const NARROWEST: usize = 8;
/// The last column gives way first, down to this; only then do the others.
const LAST_NARROWEST: usize = 24;
/// The narrowest terminal laid out for; on a narrower one the terminal breaks the lines.
const NARROWEST_TABLE: usize = 20;

/// What becomes of the last column where it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    Wrap,
    Shorten,
}

/// One column: its heading, the side it is aligned to, its role.
#[derive(Clone, Debug)]
pub struct Column {
    header: String,
    right: bool,
    role: Option<Role>,
}

impl Column {
    /// Aligned to the left. A table whose headers are all empty has no header row.
    pub fn left(header: &str) -> Self {
        Column { header: clean(header).into_owned(), right: false, role: None }
    }

    /// Aligned to the right, for numbers.
    pub fn right(header: &str) -> Self {
        Column { right: true, ..Column::left(header) }
    }

    /// The look of all its cells that have none of their own.
    pub fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }
}

/// One cell: text on one line, made harmless here.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    role: Option<Role>,
}

impl Cell {
    pub fn new(text: impl std::fmt::Display) -> Self {
        let text = text.to_string();
        let text = match clean(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        };
        Cell { text, role: None }
    }

    pub fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }
}

impl<T: std::fmt::Display> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell::new(text)
    }
}

/// Rows of cells, laid out when all of them are known.
///
/// Where even narrow columns do not fit, each row becomes a list of `Header: cell` lines. No line is wider than the
/// terminal from 20 columns on. Words are not reordered: a cell with letters written from right to left is put between
/// U+2068 and U+2069 on a terminal, so that one which does order them keeps the columns in place; a file or a pipe
/// never gets these two characters.
#[derive(Clone, Debug)]
pub struct Table<const N: usize> {
    columns: [Column; N],
    overflow: Overflow,
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Table<N> {
    pub fn new(columns: [Column; N]) -> Self {
        Table { columns, overflow: Overflow::Wrap, rows: Vec::new() }
    }

    pub fn overflow(mut self, overflow: Overflow) -> Self {
        self.overflow = overflow;
        self
    }

    pub fn push(&mut self, row: [Cell; N]) {
        self.rows.push(row);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the table, each ended; nothing at all without rows.
    pub fn render(&self, look: Look) -> String {
        if N == 0 || self.rows.is_empty() {
            return String::new();
        }
        let look = Look { width: look.width.max(NARROWEST_TABLE), ..look };
        match self.fit(look.width) {
            Some(widths) => self.aligned(&widths, look),
            None => self.listed(look),
        }
    }

    /// How wide each column is, or nothing where they cannot stand side by side.
    fn fit(&self, columns: usize) -> Option<[usize; N]> {
        let mut widths: [usize; N] = std::array::from_fn(|i| {
            let cells = self.rows.iter().map(|row| width(&row[i].text));
            cells.max().unwrap_or(0).max(width(&self.columns[i].header))
        });
        let total = widths.iter().sum::<usize>() + GAP * (N - 1);
        let mut excess = total.saturating_sub(columns);
        let last = N - 1;
        excess -= give_way(&mut widths[last], LAST_NARROWEST, excess);
        while excess > 0 {
            let widest = (0..last).max_by_key(|i| widths[*i]);
            // A column at a time: a few columns and some hundred steps are not worth cleverness.
            match widest.map(|i| give_way(&mut widths[i], NARROWEST, 1)) {
                Some(given) if given > 0 => excess -= given,
                _ => break,
            }
        }
        excess -= give_way(&mut widths[last], NARROWEST, excess);
        (excess == 0).then_some(widths)
    }

    fn aligned(&self, widths: &[usize; N], look: Look) -> String {
        let mut text = String::new();
        if self.columns.iter().any(|column| !column.header.is_empty()) {
            let header = |i: usize| Cell { text: self.columns[i].header.clone(), role: Some(Role::Strong) };
            self.push_row(&mut text, &std::array::from_fn(header), widths, look);
        }
        for row in &self.rows {
            self.push_row(&mut text, row, widths, look);
        }
        text
    }

    fn push_row(&self, text: &mut String, row: &[Cell; N], widths: &[usize; N], look: Look) {
        let mut line = String::new();
        let Some(((last, before), (last_width, before_widths))) = row.split_last().zip(widths.split_last()) else {
            return;
        };
        for (i, (cell, columns)) in before.iter().zip(before_widths).enumerate() {
            line += &self.aligned_cell(i, &cut(Cow::Borrowed(&cell.text), *columns), cell.role, *columns, look);
            line += &" ".repeat(GAP);
        }
        let lines = match self.overflow {
            Overflow::Wrap if width(&last.text) > *last_width => wrap(&last.text, *last_width, LongWord::Break),
            _ => vec![cut(Cow::Borrowed(&last.text), *last_width).into_owned()],
        };
        for last_text in lines {
            line += &self.aligned_cell(N - 1, &last_text, last.role, *last_width, look);
            text.push_str(line.trim_end_matches(' '));
            text.push('\n');
            line = " ".repeat(before_widths.iter().map(|columns| columns + GAP).sum());
        }
    }

    fn aligned_cell(&self, column: usize, text: &str, role: Option<Role>, columns: usize, look: Look) -> String {
        let Column { right, role: usual, .. } = &self.columns[column];
        let padding = " ".repeat(columns.saturating_sub(width(text)));
        let shown = painted(text, role.or(*usual), look);
        if *right { padding + &shown } else { shown + &padding }
    }

    /// Each row as lines of its own, a blank line between rows.
    fn listed(&self, look: Look) -> String {
        const INDENT: &str = "  ";
        let mut rows = Vec::new();
        for row in &self.rows {
            let mut text = String::new();
            for (column, cell) in self.columns.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty()) {
                let line = match column.header.as_str() {
                    "" => cell.text.clone(),
                    header => format!("{header}: {}", cell.text),
                };
                let mut indent = "";
                for line in wrap(&line, look.width - INDENT.len(), LongWord::Break) {
                    text += indent;
                    text += &painted(&line, cell.role, look);
                    text.push('\n');
                    indent = INDENT;
                }
            }
            rows.push(text);
        }
        rows.join("\n")
    }
}

/// Narrows a column by so much, but not below the given width; returns by how much.
fn give_way(columns: &mut usize, narrowest: usize, excess: usize) -> usize {
    let given = columns.saturating_sub(narrowest).min(excess);
    *columns -= given;
    given
}

fn painted(text: &str, role: Option<Role>, look: Look) -> String {
    let text = match text {
        "" => return String::new(),
        text if look.terminal && text.chars().any(is_right_to_left) => Cow::Owned(format!("\u{2068}{text}\u{2069}")),
        text => Cow::Borrowed(text),
    };
    match role {
        Some(role) => look.palette.paint(role, text).to_string(),
        None => text.into_owned(),
    }
}

/// The blocks Unicode keeps for letters written from right to left (UAX #9, table of default Bidi_Class values).
fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::term::Palette;
    use proptest::prelude::*;

    fn look(width: usize) -> Look {
        Look { width, ..Look::PLAIN }
    }

    fn table(rows: &[[&str; 3]]) -> Table<3> {
        let mut table = Table::new([Column::left("ID").role(Role::Id), Column::right("SIZE"), Column::left("ABOUT")]);
        for row in rows {
            table.push(row.map(Cell::new));
        }
        table
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let table = table(&[["漢字", "9", "x"], ["ember", "1200", "дороги"], ["", "", ""], ["e\u{301}", "1", ""]]);
        assert_eq!(
            table.render(Look::PLAIN),
            "ID     SIZE  ABOUT\n漢字      9  x\nember  1200  дороги\n\ne\u{301}         1\n"
        );
    }

    #[test]
    fn the_last_column_is_wrapped_or_shortened() {
        let rows = [["ember", "1", "roads of ash and embers under a red sky"]];
        assert_eq!(
            table(&rows).render(look(40)),
            "ID     SIZE  ABOUT\nember     1  roads of ash and embers\n             under a red sky\n"
        );
        assert_eq!(
            table(&rows).overflow(Overflow::Shorten).render(look(40)),
            "ID     SIZE  ABOUT\nember     1  roads of ash and embers un…\n"
        );
    }

    #[test]
    fn other_columns_give_way_only_when_the_last_is_narrow() {
        let table = table(&[["a-very-long-identifier-of-a-ruleset", "1", "roads of ash and embers under a sky"]]);
        assert_eq!(
            table.render(look(50)),
            "ID                  SIZE  ABOUT\na-very-long-ident…     1  roads of ash and embers\n                          under a sky\n"
        );
    }

    #[test]
    fn a_row_becomes_a_list_where_columns_do_not_fit() {
        let table = table(&[["ember-roads", "1", "roads of ash"], ["b", "", "x"]]);
        assert_eq!(table.render(look(20)), "ID: ember-roads\nSIZE: 1\nABOUT: roads of\n  ash\n\nID: b\nABOUT: x\n");
    }

    #[test]
    fn without_rows_there_is_nothing() {
        assert!(table(&[]).is_empty());
        assert_eq!(table(&[]).render(look(80)), "");
        assert_eq!(Table::new([]).render(look(80)), "");
    }

    #[test]
    fn without_headers_there_is_no_header_row() {
        let mut table = Table::new([Column::left(""), Column::left("")]);
        table.push(["a".into(), 1.into()]);
        assert_eq!(table.render(Look::PLAIN), "a  1\n");
    }

    #[test]
    fn padding_is_not_coloured_and_a_cell_may_have_its_own_role() {
        let mut table = Table::new([Column::left("").role(Role::Id), Column::left("")]);
        table.push([Cell::new("a").role(Role::Dim), "x".into()]);
        table.push(["bb".into(), "".into()]);
        let look = Look { palette: Palette::new(true), ..Look::PLAIN };
        assert_eq!(table.render(look), "\u{1b}[2ma\u{1b}[0m   x\n\u{1b}[36mbb\u{1b}[0m\n");
    }

    #[test]
    fn cells_are_harmless_and_right_to_left_ones_keep_to_themselves_on_a_terminal() {
        let mut table = Table::new([Column::left(""), Column::left("")]);
        table.push(["דרך".into(), "a\u{1b}[2J\nb".into()]);
        assert_eq!(table.render(Look::PLAIN), "דרך  a\\u{1b}[2J\\nb\n");
        let terminal = Look { terminal: true, ..Look::PLAIN };
        assert_eq!(table.render(terminal), "\u{2068}דרך\u{2069}  a\\u{1b}[2J\\nb\n");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal(
            rows in proptest::collection::vec(proptest::array::uniform4(any::<String>()), 0..5),
            headers in proptest::array::uniform4(r"\PC{0,12}"),
            columns in 0_usize..120,
            terminal: bool,
            shorten: bool,
        ) {
            let [a, b, c, d] = headers.each_ref().map(String::as_str);
            let overflow = if shorten { Overflow::Shorten } else { Overflow::Wrap };
            let mut table =
                Table::new([Column::left(a), Column::right(b), Column::left(c), Column::right(d)]).overflow(overflow);
            for row in rows {
                table.push(row.map(Cell::new));
            }
            let text = table.render(Look { terminal, ..look(columns) });
            for line in text.split('\n') {
                prop_assert!(width(line) <= columns.max(NARROWEST_TABLE), "{line:?} in {columns}");
            }
        }
    }
}
