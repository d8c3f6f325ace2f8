//! The first place at which a text stops being JSON, and in what way. It is the grammar of RFC 8259 over the tokens of
//! the lexer; the parser that makes values of a text has its own, and says what is wrong in words for people alone.

use super::lexer::{Kind, Token, lex};
use super::literal::{self, Flaw};
use std::ops::Range;

/// In what way a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// Nothing stands in it.
    Empty,
    /// An object or list that does not end before what stands at this byte, or before the end of the text.
    Unclosed {
        opened: Opened,
        before: Option<usize>,
    },
    /// A bracket that closes nothing.
    Unopened,
    /// No key comes after a comma, or no item.
    TrailingComma,
    /// More comes after the value that the text is.
    Trailing,
    NoKey,
    NoColon,
    NoValue,
    /// Neither a comma nor the end of this comes after a member of it.
    NoComma(Opened),
    /// A key with a colon, in a list.
    KeyInList,
    TooDeep,
    /// What is wrong within a text, a number or a word.
    Flaw(Flaw),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Object,
    List,
}

impl Opened {
    fn closer(self) -> u8 {
        match self {
            Opened::Object => b'}',
            Opened::List => b']',
        }
    }
}

/// What keeps a text from being JSON, and the bytes it is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub slip: Slip,
    pub at: Range<usize>,
}

/// The nesting that the parser gives up at.
const TOO_DEEP: usize = 128;

/// The first fault of a text; nothing of one that is JSON.
pub(super) fn fault(text: &str) -> Option<Fault> {
    let mut scan = Scan::new(text);
    let tokens = lex(text.as_bytes()).map(|token| scan.take(token)).find_map(Result::err);
    tokens.or_else(|| scan.end())
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value,
    /// The first of a list, or its end.
    FirstItem,
    /// The first of an object, or its end.
    FirstKey,
    Key,
    Colon,
    Comma,
    /// The value is whole.
    Nothing,
}

struct Open {
    opened: Opened,
    at: usize,
    /// How far in its line begins, in bytes.
    indent: usize,
    has_comma: bool,
}

struct Scan<'t> {
    text: &'t str,
    open: Vec<Open>,
    next: Next,
    last: Option<Token>,
    /// How far in the line begins that is read.
    indent: usize,
    /// Whether something stands before the token on its line.
    is_within_line: bool,
    /// The first bracket whose partner stands further out than its own line does: another one was probably meant, and
    /// this one never closed.
    suspect: Option<(Opened, usize)>,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Scan { text, open: Vec::new(), next: Next::Value, last: None, indent: 0, is_within_line: false, suspect: None }
    }

    fn take(&mut self, token: Token) -> Result<(), Fault> {
        let blank = &self.text[self.last.map_or(0, |last| last.end)..token.start];
        let line_end = blank.rfind('\n');
        self.is_within_line = line_end.is_none();
        self.indent = line_end.map_or(self.indent, |end| blank.len() - end - 1);
        match token.kind {
            Kind::Close => self.close(token)?,
            Kind::OpenObject | Kind::OpenList => self.open(token)?,
            Kind::Comma => self.comma(token)?,
            Kind::Colon => self.colon(token)?,
            Kind::Text | Kind::Other => self.scalar(token)?,
        }
        self.last = Some(token);
        Ok(())
    }

    fn end(&self) -> Option<Fault> {
        match self.open.last() {
            Some(_) => Some(self.unclosed(None)),
            None => (self.next == Next::Value).then_some(Fault { slip: Slip::Empty, at: 0..0 }),
        }
    }

    fn open(&mut self, token: Token) -> Result<(), Fault> {
        let opened = if token.kind == Kind::OpenObject { Opened::Object } else { Opened::List };
        match self.next {
            Next::Value | Next::FirstItem => {}
            // Where a key is due or a comma, the next object of a list begins: the one before it was not closed.
            Next::Key | Next::Comma if opened == Opened::Object && self.is_in(Opened::Object) => {
                return Err(self.unclosed(Some(token.start)));
            }
            _ => return Err(self.unexpected(token)),
        }
        self.open.push(Open { opened, at: token.start, indent: self.indent, has_comma: false });
        if self.open.len() == TOO_DEEP {
            return Err(fault_at(Slip::TooDeep, token));
        }
        self.next = if opened == Opened::Object { Next::FirstKey } else { Next::FirstItem };
        Ok(())
    }

    fn close(&mut self, token: Token) -> Result<(), Fault> {
        let closer = self.text.as_bytes()[token.start];
        let Some(innermost) = self.open.last() else { return Err(self.unexpected(token)) };
        if innermost.opened.closer() != closer {
            let closes_an_outer_one = self.open.iter().any(|open| open.opened.closer() == closer);
            return Err(match closes_an_outer_one {
                true => self.unclosed(Some(token.start)),
                false => fault_at(Slip::Unopened, token),
            });
        }
        match (self.next, self.last) {
            (Next::FirstItem | Next::FirstKey | Next::Comma, _) => {}
            (_, Some(comma)) if comma.kind == Kind::Comma => return Err(fault_at(Slip::TrailingComma, comma)),
            _ => return Err(self.unexpected(token)),
        }
        if self.suspect.is_none() && !self.is_within_line && self.indent < innermost.indent {
            self.suspect = Some((innermost.opened, innermost.at));
        }
        self.open.pop();
        self.value_is_whole();
        Ok(())
    }

    fn comma(&mut self, token: Token) -> Result<(), Fault> {
        match self.open.last_mut().filter(|_| self.next == Next::Comma) {
            Some(open) => {
                open.has_comma = true;
                self.next = if open.opened == Opened::Object { Next::Key } else { Next::Value };
                Ok(())
            }
            None => Err(self.unexpected(token)),
        }
    }

    fn colon(&mut self, token: Token) -> Result<(), Fault> {
        let follows_text = self.last.is_some_and(|last| last.kind == Kind::Text);
        match (self.next, self.open.last()) {
            (Next::Colon, _) => self.next = Next::Value,
            // The members of the object around a list that was not closed, or those of what was meant to be an object.
            (Next::Comma, Some(Open { opened: Opened::List, has_comma, .. })) if follows_text => {
                return Err(if *has_comma {
                    self.unclosed(self.last.map(|key| key.start))
                } else {
                    fault_at(Slip::KeyInList, token)
                });
            }
            _ => return Err(self.unexpected(token)),
        }
        Ok(())
    }

    /// A text, a number or a word.
    fn scalar(&mut self, token: Token) -> Result<(), Fault> {
        let is_key = matches!(self.next, Next::FirstKey | Next::Key) && token.kind == Kind::Text;
        if !is_key && !matches!(self.next, Next::Value | Next::FirstItem) {
            return Err(self.unexpected(token));
        }
        let spelled = &self.text[token.start..token.end];
        let found = if token.kind == Kind::Text { literal::text(spelled) } else { literal::bare(spelled) };
        let within = |at: Range<usize>| token.start + at.start..token.start + at.end;
        if let Some((flaw, at)) = found.flaw {
            return Err(Fault { slip: Slip::Flaw(flaw), at: within(at) });
        }
        if is_key {
            self.next = Next::Colon;
        } else {
            self.value_is_whole();
        }
        // Something stands right behind it, such as a comment.
        match found.rest {
            0 => Ok(()),
            rest => Err(self.unexpected(Token { start: token.end - rest, ..token })),
        }
    }

    fn value_is_whole(&mut self) {
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::Comma };
    }

    fn is_in(&self, opened: Opened) -> bool {
        self.open.last().is_some_and(|open| open.opened == opened)
    }

    /// That something else stands where this may come next.
    fn unexpected(&self, token: Token) -> Fault {
        let slip = match self.next {
            Next::Value | Next::FirstItem => Slip::NoValue,
            Next::FirstKey | Next::Key => Slip::NoKey,
            Next::Colon => Slip::NoColon,
            Next::Comma if self.is_in(Opened::List) => Slip::NoComma(Opened::List),
            Next::Comma => Slip::NoComma(Opened::Object),
            Next::Nothing => Slip::Trailing,
        };
        fault_at(slip, token)
    }

    /// That a bracket is not closed: the innermost open one, or one within it that took the other's partner.
    fn unclosed(&self, before: Option<usize>) -> Fault {
        let innermost = self.open.last().map_or((Opened::Object, 0), |open| (open.opened, open.at));
        let (opened, at) = self.suspect.filter(|(_, at)| *at > innermost.1).unwrap_or(innermost);
        Fault { slip: Slip::Unclosed { opened, before }, at: at..at + 1 }
    }
}

fn fault_at(slip: Slip, token: Token) -> Fault {
    Fault { slip, at: token.start..token.end }
}
