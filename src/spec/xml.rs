//! XML as elements that know where they stand.
//!
//! Only what is asked for is kept: a walk over the file opens one element after another, and the caller takes those
//! that matter as a whole. Whatever the file holds, the answer is elements or an error with its place.

use std::fmt;

use quick_xml::Reader;
use quick_xml::errors::{Error as QuickError, IllFormedError};
use quick_xml::events::{BytesRef, BytesStart, Event};

/// Deeper than any file of AMD's goes (its trees of conditions are some twenty elements deep).
const DEEPEST: usize = 200;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a file cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// Where.
    pub place: Place,
    /// What is wrong, and where it helps what to do.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SpecError {}

/// An element with all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub name: String,
    /// Of its `<`, in bytes from the start of the file.
    pub at: usize,
    pub attributes: Vec<(String, String)>,
    /// Its own text, trimmed.
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    /// The first child of this name.
    pub fn find(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Every child of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// The place of a byte; past the end, the end.
    pub fn place(&self, at: usize) -> Place {
        let at = at.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line.saturating_sub(1)];
        let column = self.text.get(start..at).map_or(at - start, |before| before.chars().count()) + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(column) }
    }

    pub fn error(&self, at: usize, message: impl Into<String>) -> SpecError {
        SpecError { place: self.place(at), message: message.into() }
    }
}

/// A walk over the elements of a text, in the order of their start tags.
pub(super) struct Walk<'a> {
    reader: Reader<&'a [u8]>,
    lines: &'a Lines<'a>,
    /// The open elements and where they begin, the outermost first.
    open: Vec<(String, usize)>,
    /// Whether the last start tag was an empty element, which is closed when the walk goes on.
    is_empty: bool,
    has_root: bool,
}

impl<'a> Walk<'a> {
    pub fn new(lines: &'a Lines<'a>) -> Self {
        let mut reader = Reader::from_str(lines.text);
        let config = reader.config_mut();
        config.check_end_names = true;
        config.check_comments = true;
        config.allow_unmatched_ends = false;
        Self { reader, lines, open: Vec::new(), is_empty: false, has_root: false }
    }

    /// The names of the open elements, the outermost first.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        self.open.iter().map(|(name, _)| name.as_str())
    }

    /// Opens the next element; `None` at the end of the file.
    ///
    /// # Errors
    /// If the text is not well-formed up to there.
    pub fn open(&mut self) -> Result<Option<Element>, SpecError> {
        loop {
            match self.step()? {
                Step::Open(element) => return Ok(Some(element)),
                Step::Close | Step::Text(_) => {}
                Step::End => return Ok(None),
            }
        }
    }

    /// The element that was just opened, with all that is in it.
    ///
    /// # Errors
    /// If the text is not well-formed up to its end tag.
    pub fn whole(&mut self, opened: Element) -> Result<Element, SpecError> {
        let mut stack: Vec<Element> = Vec::new();
        let mut last = opened;
        loop {
            match self.step()? {
                Step::Open(child) => stack.push(std::mem::replace(&mut last, child)),
                Step::Text(text) => last.text += &text,
                Step::Close => {
                    last.text = last.text.trim().to_owned();
                    match stack.pop() {
                        None => return Ok(last),
                        Some(mut parent) => {
                            parent.children.push(last);
                            last = parent;
                        }
                    }
                }
                // The end of the file inside an element is an error of its own.
                Step::End => return Ok(last),
            }
        }
    }

    fn step(&mut self) -> Result<Step, SpecError> {
        if std::mem::take(&mut self.is_empty) {
            self.open.pop();
            return Ok(Step::Close);
        }
        loop {
            let at = self.position();
            let event = self.reader.read_event().map_err(|error| self.ill_formed(&error))?;
            match event {
                Event::Start(tag) => return self.start(&tag, at).map(Step::Open),
                Event::Empty(tag) => {
                    let element = self.start(&tag, at)?;
                    self.is_empty = true;
                    return Ok(Step::Open(element));
                }
                Event::End(_) => {
                    self.open.pop();
                    return Ok(Step::Close);
                }
                Event::Text(text) => return self.text(text.xml10_content().into_owned(), at),
                Event::CData(text) => return self.text(text.xml10_content().into_owned(), at),
                Event::GeneralRef(name) => {
                    let character = self.character(&name, at)?;
                    return self.text(character.to_string(), at);
                }
                Event::Decl(declaration) => self.encoding(declaration.encoding().transpose(), at)?,
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => return self.end(),
            }
        }
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn start(&mut self, tag: &BytesStart<'_>, at: usize) -> Result<Element, SpecError> {
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err(self.lines.error(at, "something follows the root element"));
        }
        if self.open.len() == DEEPEST {
            return Err(self.lines.error(at, format!("elements are nested deeper than {DEEPEST}")));
        }
        let name = tag.name().0.to_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.lines.error(at, format!("in <{name}>: {error}")))?;
            let value = attribute
                .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                .map_err(|error| self.lines.error(at, format!("in <{name}>: {error}")))?;
            attributes.push((attribute.key.0.to_owned(), value.into_owned()));
        }
        self.open.push((name.clone(), at));
        Ok(Element { name, at, attributes, ..Element::default() })
    }

    fn text(&self, text: String, at: usize) -> Result<Step, SpecError> {
        if self.open.is_empty() && !text.trim().is_empty() {
            let before = text.len() - text.trim_start().len();
            return Err(self.lines.error(at + before, "text outside of the root element: this is no XML"));
        }
        Ok(Step::Text(text))
    }

    /// The character that a reference stands for. Only those that XML itself defines: a file of AMD's has no others.
    fn character(&self, name: &BytesRef<'_>, at: usize) -> Result<char, SpecError> {
        let text = name.xml10_content();
        let named = match text.as_ref() {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "apos" => Some('\''),
            "quot" => Some('"'),
            _ => name.resolve_char_ref().ok().flatten(),
        };
        named.ok_or_else(|| self.lines.error(at, format!("`&{text};` is no character that XML defines")))
    }

    fn encoding<T: AsRef<str>, E: fmt::Display>(
        &self,
        named: Result<Option<T>, E>,
        at: usize,
    ) -> Result<(), SpecError> {
        let named = named.map_err(|error| self.lines.error(at, format!("in the XML declaration: {error}")))?;
        match named {
            Some(name)
                if !name.as_ref().eq_ignore_ascii_case("utf-8") && !name.as_ref().eq_ignore_ascii_case("ascii") =>
            {
                let message = format!("the file says that it is in {}; this reads UTF-8", name.as_ref());
                Err(self.lines.error(at, message))
            }
            _ => Ok(()),
        }
    }

    fn end(&self) -> Result<Step, SpecError> {
        match self.open.last() {
            Some((name, begin)) => {
                let message = format!("the file ends inside <{name}>, which begins at {}", self.lines.place(*begin));
                Err(self.lines.error(self.lines.text.len(), message))
            }
            None if !self.has_root => {
                Err(self.lines.error(self.lines.text.len(), "there is no element: this is no XML"))
            }
            None => Ok(Step::End),
        }
    }

    fn ill_formed(&self, error: &QuickError) -> SpecError {
        let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
        let message = match error {
            QuickError::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                let begin = self.open.last().map_or(0, |(_, begin)| *begin);
                format!(
                    "</{found}> where </{expected}> is wanted, of the element that begins at {}",
                    self.lines.place(begin)
                )
            }
            other => format!("not well-formed: {other}"),
        };
        self.lines.error(at, message)
    }
}

enum Step {
    Open(Element),
    Text(String),
    Close,
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str) -> Result<Vec<(String, Place)>, String> {
        let lines = Lines::new(text);
        let mut walk = Walk::new(&lines);
        let mut found = Vec::new();
        while let Some(element) = walk.open().map_err(|error| error.to_string())? {
            found.push((walk.path().collect::<Vec<_>>().join("/"), lines.place(element.at)));
        }
        Ok(found)
    }

    #[test]
    fn elements_come_with_their_path_and_place() {
        let found = walk("<a>\n  <b x='1'/>é<c>t</c>\n</a>").unwrap();
        let place = |line, column| Place { line, column };
        let wanted = [("a", place(1, 1)), ("a/b", place(2, 3)), ("a/c", place(2, 14))];
        assert_eq!(found, wanted.map(|(path, place)| (path.to_owned(), place)));
    }

    #[test]
    fn a_whole_element_has_its_text_and_children() {
        let text = "<a><b n='x&#65;y'> one &lt;&#x42;<![CDATA[<c>]]><!-- no --> </b></a>";
        let lines = Lines::new(text);
        let mut walk = Walk::new(&lines);
        let a = walk.open().unwrap().unwrap();
        let a = walk.whole(a).unwrap();
        let b = a.find("b").unwrap();
        assert_eq!((b.text.as_str(), b.attribute("n"), b.at), ("one <B<c>", Some("xAy"), 3));
        assert_eq!(walk.open(), Ok(None));
    }

    #[test]
    fn what_is_no_xml_is_an_error_with_its_place() {
        for (text, message) in [
            ("", "1:1: there is no element: this is no XML"),
            ("\n\n", "3:1: there is no element: this is no XML"),
            ("hello", "1:1: text outside of the root element: this is no XML"),
            ("<a>\n<b>", "2:4: the file ends inside <b>, which begins at 2:1"),
            ("<a>\n</b>", "2:1: </b> where </a> is wanted, of the element that begins at 1:1"),
            ("<a/>\n<b/>", "2:1: something follows the root element"),
            ("<a>&x;</a>", "1:4: `&x;` is no character that XML defines"),
            ("<a>&#0;</a>", "1:4: `&#0;` is no character that XML defines"),
            (
                "<?xml version='1.0' encoding='UTF-16'?><a/>",
                "1:1: the file says that it is in UTF-16; this reads UTF-8",
            ),
        ] {
            assert_eq!(walk(text).unwrap_err(), message, "{text}");
        }
        for text in [
            "<a",
            "<a b",
            "<a b='",
            "<a b=c></a>",
            "<a b='1' b='2'/>",
            "<!-- ",
            "<![CDATA[",
            "</a>",
            "<a>&",
            "<a x='&y;'/>",
        ] {
            assert!(walk(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert_eq!(walk(&nested(200)).unwrap().len(), 200);
        assert_eq!(walk(&nested(100_000)).unwrap_err(), "1:601: elements are nested deeper than 200");
    }
}
