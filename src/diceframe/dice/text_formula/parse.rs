//! From text to tree: a parser by recursive descent, bounded in depth.

use super::{Binary, Call, Kind, MAX_DEPTH, Node, SyntaxError};

/// The tree of a whole text.
pub(super) fn formula(text: &str) -> Result<Node, SyntaxError> {
    let signs: Vec<char> = text.chars().collect();
    let mut parser = Parser { signs: &signs, at: 0, open: 0 };
    if parser.peek().is_none() {
        return Err(SyntaxError::Empty);
    }
    let root = parser.sum()?;
    match parser.peek() {
        None => Ok(root),
        Some(found) => Err(parser.unexpected(found)),
    }
}

struct Parser<'t> {
    signs: &'t [char],
    at: usize,
    /// How many parentheses, calls and signs are being read: what bounds the recursion.
    open: usize,
}

impl Parser<'_> {
    /// The next sign that is no blank; it is where the parser then stands.
    fn peek(&mut self) -> Option<char> {
        while self.signs.get(self.at).is_some_and(|sign| sign.is_whitespace()) {
            self.at += 1;
        }
        self.signs.get(self.at).copied()
    }

    fn unexpected(&self, found: char) -> SyntaxError {
        SyntaxError::Unexpected { found, at: self.at + 1 }
    }

    /// Reads on one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        self.open += 1;
        if self.open > MAX_DEPTH {
            return Err(SyntaxError::TooDeep);
        }
        let value = read(self)?;
        self.open -= 1;
        Ok(value)
    }

    fn sum(&mut self) -> Result<Node, SyntaxError> {
        let mut left = self.product()?;
        loop {
            let operation = match self.peek() {
                Some('+') => Binary::Add,
                Some('-') => Binary::Subtract,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = Node::new(Kind::Binary(operation, Box::new(left), Box::new(right)))?;
        }
    }

    fn product(&mut self) -> Result<Node, SyntaxError> {
        let mut left = self.signed()?;
        loop {
            let operation = match self.peek() {
                Some('*') => Binary::Multiply,
                Some('/') if self.signs.get(self.at + 1) == Some(&'/') => {
                    self.at += 1;
                    Binary::FloorDivide
                }
                Some('/') => Binary::Divide,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.signed()?;
            left = Node::new(Kind::Binary(operation, Box::new(left), Box::new(right)))?;
        }
    }

    fn signed(&mut self) -> Result<Node, SyntaxError> {
        let kind = match self.peek() {
            Some('+') => Kind::Plus,
            Some('-') => Kind::Minus,
            _ => return self.operand(),
        };
        self.at += 1;
        let part = self.deeper(Self::signed)?;
        Node::new(kind(Box::new(part)))
    }

    fn operand(&mut self) -> Result<Node, SyntaxError> {
        match self.peek() {
            None => Err(SyntaxError::Ends),
            Some('(') => {
                let opened = self.open_parenthesis();
                let inner = self.deeper(Self::sum)?;
                self.close_parenthesis(opened)?;
                Ok(inner)
            }
            Some(sign) if sign.is_ascii_digit() => self.number(),
            Some(sign) if sign.is_alphabetic() || sign == '_' => self.name(),
            Some(found) => Err(self.unexpected(found)),
        }
    }

    fn number(&mut self) -> Result<Node, SyntaxError> {
        let at = self.at + 1;
        let digits = self.take_while(|sign| sign.is_ascii_digit());
        let number = digits.parse().map_err(|_| SyntaxError::TooLarge { at })?;
        Node::new(Kind::Number(number))
    }

    fn name(&mut self) -> Result<Node, SyntaxError> {
        let name = self.take_while(|sign| sign.is_alphanumeric() || sign == '_');
        if self.peek() != Some('(') {
            return Node::new(Kind::Name(name));
        }
        let Some(call) = Call::named(&name) else {
            return Err(SyntaxError::UnknownCall { name });
        };
        let opened = self.open_parenthesis();
        let arguments = self.deeper(Self::arguments)?;
        self.close_parenthesis(opened)?;
        let takes = match (call, arguments.len()) {
            (Call::Max | Call::Min, 0) => Some("at least one argument"),
            (Call::Abs | Call::Int, given) if given != 1 => Some("one argument"),
            _ => None,
        };
        match takes {
            Some(takes) => Err(SyntaxError::Arguments { call, takes, given: arguments.len() }),
            None => Node::new(Kind::Call(call, arguments)),
        }
    }

    /// The arguments of a call; a comma after the last one is allowed.
    fn arguments(&mut self) -> Result<Vec<Node>, SyntaxError> {
        let mut arguments = Vec::new();
        while !matches!(self.peek(), None | Some(')')) {
            arguments.push(self.sum()?);
            if self.peek() != Some(',') {
                break;
            }
            self.at += 1;
        }
        Ok(arguments)
    }

    fn open_parenthesis(&mut self) -> usize {
        self.at += 1;
        self.at
    }

    fn close_parenthesis(&mut self, opened: usize) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            Some(found) => Err(self.unexpected(found)),
            None => Err(SyntaxError::Unclosed { at: opened }),
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.signs.get(self.at).is_some_and(|sign| wanted(*sign)) {
            self.at += 1;
        }
        self.signs[start..self.at].iter().collect()
    }
}
