//! Parses the text form of plans.

use std::collections::HashMap;
use std::fmt;

use super::{Codec, DEEPEST, Field, Kind, Layout, Length, NullMark, PLAN_FORMAT, Plan, Struct, Tagged};

/// The maximum number of characters of a line in an error.
const LONGEST_QUOTE: usize = 200;

/// The error for a text that is not a plan in [`PLAN_FORMAT`].
#[derive(Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

type Parsed<T> = Result<T, PlanError>;

fn error<T>(text: String) -> Parsed<T> {
    Err(PlanError(text))
}

impl Plan {
    /// Parses a plan. Fails for other formats than [`PLAN_FORMAT`], and for plans that sinks cannot rely on.
    pub fn parse(text: &str) -> Parsed<Plan> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if first != format!("messagegen-plan {PLAN_FORMAT}") {
            return error(format!("this engine knows plans of format {PLAN_FORMAT}, not {first:?}"));
        }
        let mut parser = Parser::default();
        for line in lines {
            match parser.line(line) {
                Ok(()) => (),
                Err(problem) => {
                    let line: String = line.chars().take(LONGEST_QUOTE).collect();
                    return error(format!("{problem}, in the plan's line {line:?}"));
                }
            }
        }
        parser.finish_layout()?;
        if parser.plan.roots.is_empty() {
            return error("the plan has no version".to_owned());
        }
        Ok(parser.plan)
    }
}

#[derive(Default)]
struct Parser {
    plan: Plan,
    struct_numbers: HashMap<String, usize>,
    layout: Option<Layout>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Parsed<()> {
        if let (Some(about), None) = (line.strip_prefix(" :about "), &self.layout) {
            return self.about(about);
        }
        let words: Vec<&str> = line.split(' ').collect();
        match (words.as_slice(), &self.layout) {
            (["message", name, _kind, versions], None) if self.plan.name.is_empty() => {
                version_range(versions)?;
                self.plan.name = (*name).to_owned();
            }
            (["struct", name], None) => self.begin_struct(name)?,
            (["layout", number, class, versions] | ["layout", number, class, versions, "flexible"], _) => {
                self.begin_layout(number, class, versions, words.len() > 4)?;
            }
            (["", ":tag", tag, attribute, codec], Some(_)) => {
                let tagged = Tagged { tag: number(tag)?, field: self.field(attribute)?, codec: self.codec(codec)? };
                self.open_layout()?.tagged.push(tagged);
            }
            (["", ":foreign", tags @ ..], Some(_)) => {
                let tags = tags.iter().map(|tag| number(tag)).collect::<Parsed<Vec<u32>>>()?;
                self.open_layout()?.foreign.extend(tags);
            }
            (["", ":guard", attributes @ ..], Some(_)) => {
                let fields = self.fields(attributes)?;
                self.open_layout()?.guarded.extend(fields);
            }
            (["", ":skip", attributes @ ..], Some(_)) => {
                let fields = self.fields(attributes)?;
                self.open_layout()?.skipped.extend(fields);
            }
            (["", attribute, codec] | ["", "+", attribute, codec], Some(_)) => {
                let step = (self.field(attribute)?, self.codec(codec)?);
                self.open_layout()?.steps.push(step);
            }
            (["", word, rest @ ..], None) if word.starts_with(':') => match self.plan.structs.is_empty() {
                true => message_detail(word, rest)?,
                false => self.struct_detail(word, rest)?,
            },
            (["", attribute, name, type_name, default @ ..], None) if !default.is_empty() => {
                self.add_field(attribute, name, type_name, default.join(" "))?;
            }
            _ => return error("unexpected words".to_owned()),
        }
        Ok(())
    }

    /// An `about` of the message, a struct or a field, as JSON. It is not used.
    fn about(&self, about: &str) -> Parsed<()> {
        let text = match about.split_once(' ') {
            Some((attribute, text)) if !about.starts_with('"') => {
                self.struct_field(attribute)?;
                text
            }
            _ => about,
        };
        if text.len() < 2 || !text.starts_with('"') || !text.ends_with('"') {
            return error("a text without quotes".to_owned());
        }
        Ok(())
    }

    /// Properties of fields. Only `sensitive` is used.
    fn struct_detail(&mut self, word: &str, rest: &[&str]) -> Parsed<()> {
        let fields = match (word, rest) {
            (":versions" | ":nullable", [versions, attributes @ ..]) => {
                version_range(versions)?;
                attributes
            }
            (":tagged", [versions, tag, attributes @ ..]) if attributes.len() == 1 => {
                version_range(versions)?;
                number::<u32>(tag)?;
                attributes
            }
            (":ignorable" | ":map_key" | ":zero_copy", attributes) => attributes,
            (":sensitive", attributes @ [_, ..]) => attributes,
            (":entity_type", [_, attributes @ ..]) => attributes,
            (":name", [attributes @ .., _]) if attributes.len() < 2 => attributes,
            _ => return error(format!("unexpected {word}")),
        };
        for attribute in fields {
            self.struct_field(attribute)?;
        }
        if let (":sensitive", [attribute, ..], Some(owner)) = (word, rest, self.plan.structs.last_mut()) {
            owner.sensitive.push((*attribute).to_owned());
        }
        Ok(())
    }

    /// The number of a field of the last struct.
    fn struct_field(&self, attribute: &str) -> Parsed<usize> {
        let fields = self.plan.structs.last().map(|owner| owner.fields.as_slice()).unwrap_or_default();
        let found = fields.iter().position(|field| field.attribute == attribute);
        found.ok_or_else(|| PlanError(format!("no field {attribute:?}")))
    }

    fn begin_struct(&mut self, name: &str) -> Parsed<()> {
        if self.plan.name.is_empty() {
            return error("a struct before the message".to_owned());
        }
        if self.struct_numbers.insert(name.to_owned(), self.plan.structs.len()).is_some() {
            return error("a struct that is there already".to_owned());
        }
        self.plan.structs.push(Struct { class_name: name.to_owned(), fields: Vec::new(), sensitive: Vec::new() });
        Ok(())
    }

    fn add_field(&mut self, attribute: &str, name: &str, type_name: &str, default: String) -> Parsed<()> {
        if self.struct_field(attribute).is_ok() {
            return error("a field that is there already".to_owned());
        }
        let Some(owner) = self.plan.structs.last_mut() else {
            return error("a field without a struct".to_owned());
        };
        owner.fields.push(Field {
            attribute: attribute.to_owned(),
            name: name.to_owned(),
            type_name: type_name.trim_end_matches('?').to_owned(),
            default,
        });
        Ok(())
    }

    fn begin_layout(&mut self, layout_number: &str, class: &str, versions: &str, flexible: bool) -> Parsed<()> {
        self.finish_layout()?;
        let own: u32 = number(layout_number)?;
        if own as usize != self.plan.layouts.len() {
            return error("a layout out of order".to_owned());
        }
        let Some(&struct_number) = self.struct_numbers.get(class) else {
            return error("a layout of an unknown struct".to_owned());
        };
        let versions = version_numbers(versions)?;
        if struct_number == 0 {
            self.plan.roots.extend(versions.into_iter().map(|version| (version, own)));
        }
        self.layout = Some(Layout { struct_number, flexible, ..Layout::default() });
        Ok(())
    }

    /// Finishes the current layout, so that others may refer to it.
    fn finish_layout(&mut self) -> Parsed<()> {
        let Some(mut layout) = self.layout.take() else {
            return Ok(());
        };
        let plan = &self.plan;
        self.check_fields(&layout)?;
        let codecs = || layout.steps.iter().map(|step| step.1).chain(layout.tagged.iter().map(|tagged| tagged.codec));
        let depth = 1 + codecs().map(|codec| plan.depth(plan.codecs[codec as usize])).max().unwrap_or(0);
        if depth > DEEPEST {
            return error(format!("{} nests deeper than {DEEPEST}", plan.structs[layout.struct_number].class_name));
        }
        let steps = layout.steps.iter().map(|step| plan.smallest(plan.codecs[step.1 as usize]));
        // Saturating, because nested structs could otherwise overflow.
        layout.smallest = steps.fold(usize::from(layout.flexible), usize::saturating_add);
        layout.depth = depth;
        self.plan.layouts.push(layout);
        Ok(())
    }

    /// Each field has one place, so that every slot of an object is set; each tag has one meaning.
    fn check_fields(&self, layout: &Layout) -> Parsed<()> {
        let owner = &self.plan.structs[layout.struct_number];
        let placed = layout.steps.iter().map(|step| step.0).chain(layout.tagged.iter().map(|tagged| tagged.field));
        let absent = layout.guarded.iter().chain(&layout.skipped).copied();
        let mut places: Vec<usize> = placed.chain(absent).collect();
        places.sort_unstable();
        if !places.iter().copied().eq(0..owner.fields.len()) {
            return error(format!("a layout of {} forgets a field or has one twice", owner.class_name));
        }
        let mut tags: Vec<u32> = layout.tagged.iter().map(|tagged| tagged.tag).chain(layout.foreign.clone()).collect();
        tags.sort_unstable();
        if tags.windows(2).any(|pair| pair[0] == pair[1]) || (!tags.is_empty() && !layout.flexible) {
            return error(format!("a layout of {} has tags that can't be told apart", owner.class_name));
        }
        Ok(())
    }

    fn open_layout(&mut self) -> Parsed<&mut Layout> {
        self.layout.as_mut().ok_or_else(|| PlanError("a step without a layout".to_owned()))
    }

    fn field(&self, attribute: &str) -> Parsed<usize> {
        let layout = self.layout.as_ref();
        let owner = layout.map(|layout| &self.plan.structs[layout.struct_number]);
        let found = owner.and_then(|owner| owner.fields.iter().position(|field| field.attribute == attribute));
        found.ok_or_else(|| PlanError(format!("no field {attribute:?}")))
    }

    fn fields(&self, attributes: &[&str]) -> Parsed<Vec<usize>> {
        attributes.iter().map(|attribute| self.field(attribute)).collect()
    }

    fn codec(&mut self, text: &str) -> Parsed<u32> {
        self.codec_within(text, 0)
    }

    /// A codec within this number of arrays; the limit keeps the recursion from overflowing the stack.
    fn codec_within(&mut self, text: &str, arrays: u32) -> Parsed<u32> {
        if arrays > DEEPEST {
            return error(format!("arrays nest deeper than {DEEPEST}"));
        }
        let codec = self.parse_codec(text, arrays)?;
        self.plan.codecs.push(codec);
        number(&(self.plan.codecs.len() - 1).to_string())
    }

    fn parse_codec(&mut self, text: &str, arrays: u32) -> Parsed<Codec> {
        let unmarked = text.trim_end_matches('&').trim_end_matches('?');
        let (compact, name) = match unmarked.strip_prefix("compact_") {
            Some(name) => (true, name),
            None => (false, unmarked),
        };
        let argument = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
        let marks = &text[unmarked.len()..];
        let length = Length { compact, nullable: marks.starts_with('?') };
        Ok(match (name, marks) {
            ("string", "" | "?") => Codec::String(length),
            ("bytes" | "records", "" | "?" | "&" | "?&") => Codec::Bytes { length, zero_copy: marks.ends_with('&') },
            (_, "" | "?") if argument("array(").is_some() => {
                let element = self.codec_within(argument("array(").unwrap_or_default(), arrays + 1)?;
                Codec::Array { length, element }
            }
            (_, "" | "?" | "??") if !compact && argument("struct(").is_some() => {
                let layout: u32 = number(argument("struct(").unwrap_or_default())?;
                if layout as usize >= self.plan.layouts.len() {
                    return error("a layout that is not above".to_owned());
                }
                let null = [NullMark::Never, NullMark::Int8, NullMark::Varint][marks.len()];
                Codec::Struct { layout, null }
            }
            (_, "") if !compact => plain_codec(name)?,
            _ => return error(format!("no codec {text:?}")),
        })
    }
}

fn plain_codec(name: &str) -> Parsed<Codec> {
    match name {
        "packed16" => Ok(Codec::Packed(16)),
        "packed32" => Ok(Codec::Packed(32)),
        "packed64" => Ok(Codec::Packed(64)),
        "upacked16" => Ok(Codec::Upacked(16)),
        "upacked32" => Ok(Codec::Upacked(32)),
        "upacked64" => Ok(Codec::Upacked(64)),
        _ => Kind::named(name).map(Codec::Fixed).ok_or_else(|| PlanError(format!("no codec {name:?}"))),
    }
}

/// Properties of the message, which are checked but not used.
fn message_detail(word: &str, rest: &[&str]) -> Parsed<()> {
    match (word, rest) {
        (":api_key", [key]) => number::<u32>(key).map(|_| ()),
        (":flexible" | ":deprecated", [versions]) => version_range(versions).map(|_| ()),
        (":header", [versions, header]) => version_range(versions).and_then(|_| number::<u32>(header)).map(|_| ()),
        (":unstable", []) | (":listeners", _) => Ok(()),
        _ => error(format!("unexpected {word}")),
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    let plain = word == "0" || !word.starts_with(['0', '+', '-']);
    let parsed = word.parse().ok().filter(|_| plain);
    parsed.ok_or_else(|| PlanError(format!("expected a number, got {word:?}")))
}

/// `3`, `0-9`, `2+` or `none`: lowest and highest version, which are int16 in Kafka.
fn version_range(text: &str) -> Parsed<(i16, i16)> {
    if text == "none" {
        return Ok((0, -1));
    }
    if let Some(lowest) = text.strip_suffix('+') {
        return Ok((number(lowest)?, i16::MAX));
    }
    let (lowest, highest) = text.split_once('-').unwrap_or((text, text));
    Ok((number(lowest)?, number(highest)?))
}

fn version_numbers(text: &str) -> Parsed<Vec<i64>> {
    let mut versions = Vec::new();
    for part in text.split(',') {
        let (lowest, highest) = version_range(part)?;
        versions.extend((lowest..=highest).map(i64::from));
    }
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_that_double_do_not_overflow() {
        let mut text = String::from("messagegen-plan 2\nmessage M data 0\nstruct M\n a a M {}\n b b M {}\n");
        text.push_str("layout 0 M 0\n :skip a b\n");
        for number in 1..DEEPEST {
            let inner = number - 1;
            text.push_str(&format!("layout {number} M 0 flexible\n a struct({inner})\n b struct({inner})\n"));
        }
        let plan = Plan::parse(&text).expect("a plan");
        assert_eq!(plan.layouts[2].smallest, 3);
        assert!(plan.layouts.last().is_some_and(|layout| layout.smallest > 1 << 40));
    }
}
