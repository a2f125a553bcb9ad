//! Graphs inline, and the names of their vertices.

use super::Parser;
use crate::notation::{SyntaxError, ast::*};

impl Parser<'_> {
    /// `["g.json"]` or `[{a: b c, b: c, c:}]`.
    pub(super) fn graph(&mut self) -> Result<Vec<ParameterAst>, SyntaxError> {
        self.list('[', ']', |p| {
            let start = p.at;
            let value = match p.rest().chars().next() {
                Some('"') => ParameterValue::Text(p.string()?),
                Some('{') => ParameterValue::Graph(p.list('{', '}', Parser::followers)?),
                Some(c) if c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '~') => {
                    let rest = p.rest();
                    let len = rest.find([']', ',']).unwrap_or(rest.len());
                    let file = rest[..len].trim_end();
                    return Err(SyntaxError::new("the name of a file stands in quotes", start..start + file.len())
                        .with_hint(format!(
                            "write \"{file}\", and for the shell quotes of another kind around the whole"
                        )));
                }
                _ => return p.expected("a graph: the name of a file in quotes, or {a: b c, b: c, c:}"),
            };
            Ok(ParameterAst { value, span: start..p.at })
        })
    }

    /// `(a, "b c")`: vertices with tokens.
    pub(super) fn vertices(&mut self) -> Result<Vec<PositionAst>, SyntaxError> {
        self.list('(', ')', |p| {
            let NameAst { name, span } = p.vertex()?;
            Ok(PositionAst { value: PositionValue::Text(name), span })
        })
    }

    /// `a: b c`
    fn followers(&mut self) -> Result<FollowersAst, SyntaxError> {
        let vertex = self.vertex()?;
        self.space();
        if !self.eat(':') {
            return self.expected(&format!("\":\" and what follows \"{}\"", vertex.name));
        }
        let mut to = Vec::new();
        loop {
            self.space();
            if self.rest().is_empty() || self.rest().starts_with([',', '}', ']', ')']) {
                return Ok(FollowersAst { vertex, to });
            }
            to.push(self.vertex()?);
        }
    }

    /// Letters, digits and underscores, or anything in quotes.
    fn vertex(&mut self) -> Result<NameAst, SyntaxError> {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with('"') {
            let name = self.string()?;
            return Ok(NameAst { name, span: start..self.at });
        }
        let len = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ')' | '}' | ']' | '"');
        match rest[len..].chars().next() {
            Some(c) if !ends(c) => {
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                Err(SyntaxError::new("this name of a vertex stands in quotes", start..start + word.len())
                    .with_hint(format!("write \"{word}\"; only letters, digits and _ need none")))
            }
            _ if len == 0 => self.expected("the name of a vertex"),
            _ => {
                self.at += len;
                Ok(NameAst { name: rest[..len].to_owned(), span: start..self.at })
            }
        }
    }
}
