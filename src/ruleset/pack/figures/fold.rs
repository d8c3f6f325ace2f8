//! One spelling for what scripts write in several.

/// Where the ten digits of a script begin, of those that write numbers as decimal digits beside the European ones.
pub(super) const ZEROS: [u32; 24] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
    0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1b50, 0xa9d0, 0xff10,
];

/// Fractions that are one sign.
const FRACTIONS: [(char, &str); 5] = [('½', "1/2"), ('¼', "1/4"), ('¾', "3/4"), ('⅓', "1/3"), ('⅔', "2/3")];

/// The text with European digits, plain forms of wide signs, one kind of blank, and without marks of direction.
pub(super) fn folded(text: &str) -> Vec<char> {
    let mut folded = Vec::with_capacity(text.len());
    for c in text.chars() {
        match FRACTIONS.iter().find(|(sign, _)| *sign == c) {
            Some((_, spelled)) => {
                // `1½` is a whole number and a part, not eleven halves.
                folded.extend(folded.last().is_some_and(char::is_ascii_digit).then_some(' '));
                folded.extend(spelled.chars());
            }
            None if is_direction(c) => {}
            None => folded.push(fold(c)),
        }
    }
    folded
}

fn fold(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{2212}' | '\u{fe63}' | '\u{2011}' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{3000}' => ' ',
        '’' | 'ʼ' => '\'',
        '٪' => '%',
        '①'..='⑨' => char::from_u32(u32::from(c) - u32::from('①') + u32::from('1')).unwrap_or(c),
        _ => digit(c).unwrap_or(c),
    }
}

/// Marks and isolates, which stand between a sign and its number where text runs from right to left.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2066}'..='\u{2069}')
}

fn digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= code)].last()?;
    char::from_digit(code - zero, 10)
}
