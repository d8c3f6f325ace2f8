use super::App;
use crate::inspect;
use crate::ruleset::say_in;
use crate::types::{Code, Failure};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `translate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Translated {
    /// In the order they were asked for.
    pub texts: Vec<TranslatedText>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TranslatedText {
    pub text: String,
    /// The text itself where nobody translated it.
    pub translation: String,
    /// The language it is in: `en` where nobody translated it.
    pub language: String,
}

impl App {
    /// What display strings of a ruleset read: in the language's own translation, else in the one it is a kind of, else
    /// in English; `-` stands for the lines of stdin. `name` is an installed or imported ruleset, which has the one
    /// translation kept with it, or a file.
    pub(crate) fn translate(&self, name: &str, texts: &[String]) -> Result<Translated, Failure> {
        let texts = self.texts(texts)?;
        let (languages, translations): (Vec<_>, Vec<_>) = self.source(name)?.translations.into_iter().unzip();
        let say = |text: String| match say_in(&translations, &text) {
            Some((said, at)) => {
                TranslatedText { translation: said.into_owned(), language: languages[at].to_string(), text }
            }
            None => TranslatedText { translation: text.clone(), language: "en".to_owned(), text },
        };
        let texts = texts.into_iter().map(|text| self.stop_if_asked().map(|()| say(text)));
        Ok(Translated { texts: texts.collect::<Result<_, _>>()? })
    }

    fn texts(&self, named: &[String]) -> Result<Vec<String>, Failure> {
        let mut texts = Vec::new();
        for text in named {
            if text != "-" {
                texts.push(text.clone());
                continue;
            }
            let bytes = inspect::stdin(u64::MAX, &self.cancel)?;
            let read = String::from_utf8(bytes).map_err(|_| Failure::new(Code::Usage, "stdin is not UTF-8"))?;
            // Some shells begin what they pipe with a BOM, which is no part of the first text.
            let read = read.strip_prefix('\u{feff}').unwrap_or(&read);
            texts.extend(read.lines().map(str::to_owned));
        }
        Ok(texts)
    }
}
