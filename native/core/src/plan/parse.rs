//! The parser of the text form of plans.

use std::collections::{HashMap, HashSet};

use super::{
    Codec, DEEPEST, Element, Field, Kind, Layout, Length, Member, NullMark, PLAN_FORMAT, Plan, Step, Struct, Tagged,
    quoted,
};
use crate::outcome::{Error, Outcome};

type Parsed<T> = Result<T, String>;

impl Plan {
    /// Parse a plan. Fail with `outcome::Kind::Value` for formats other than [`PLAN_FORMAT`], and for plans that
    /// decoders can't rely on. Properties that this engine does not use are not checked.
    pub fn parse(text: &str) -> Outcome<Plan> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if first != format!("messagegen-plan {PLAN_FORMAT}") {
            return Err(Error::value(format!(
                "this engine knows plans of format {PLAN_FORMAT}, not {:?}",
                quoted(first)
            )));
        }
        let mut parser = Parser::default();
        for line in lines {
            parser.line(line).map_err(|problem| {
                Error::value(format!("{}, in the plan's line {:?}", quoted(&problem), quoted(line)))
            })?;
        }
        parser
            .finish_layout()
            .map_err(|problem| Error::value(quoted(&problem)))?;
        if parser.plan.roots.is_empty() {
            return Err(Error::value("the plan has no version"));
        }
        Ok(parser.plan)
    }
}

#[derive(Default)]
struct Parser {
    plan: Plan,
    layout: Option<Layout>,
    /// The numbers of the structs, by class name.
    structs: HashMap<String, usize>,
    /// The numbers of the fields of each struct, by attribute.
    fields: Vec<HashMap<String, usize>>,
    /// The versions of the message that have a layout.
    versions: HashSet<i16>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Parsed<()> {
        let words: Vec<&str> = line.split(' ').collect();
        if let Some(mut layout) = self.layout.take() {
            if self.layout_line(&mut layout, &words)? {
                self.layout = Some(layout);
                return Ok(());
            }
            self.layout = Some(layout);
            self.finish_layout()?;
        }
        match words.as_slice() {
            ["message", name, ..] if self.plan.name.is_empty() => self.plan.name = (*name).to_owned(),
            ["struct", name] if self.plan.layouts.is_empty() && !self.plan.name.is_empty() => {
                let number = self.plan.structs.len();
                if self.structs.insert((*name).to_owned(), number).is_some() {
                    return Err("a struct that is listed twice".to_owned());
                }
                self.fields.push(HashMap::new());
                self.plan.structs.push(Struct {
                    class_name: (*name).to_owned(),
                    ..Struct::default()
                });
            }
            ["layout", number, class, versions] => self.begin_layout(number, class, versions, None)?,
            ["layout", number, class, versions, "flexible", charge] => {
                self.begin_layout(number, class, versions, Some(charge))?;
            }
            ["", ":sensitive", attributes @ ..] => {
                let owner = self.last_struct()?;
                attributes
                    .iter()
                    .try_for_each(|attribute| self.field(owner, attribute).map(drop))?;
                self.plan.structs[owner]
                    .sensitive
                    .extend(attributes.first().map(|attribute| (*attribute).to_owned()));
            }
            // A description without a name is about the message or a struct; a description after a name is about a
            // field.
            ["", ":about", text, ..] if text.starts_with('"') => (),
            ["", ":about", attribute, _, ..] => {
                self.field(self.last_struct()?, attribute)?;
            }
            ["", ":about", ..] => return Err("a field without a text".to_owned()),
            ["", word, ..] if word.starts_with(':') => (),
            ["", attribute, name, type_name, default @ ..] if !default.is_empty() => {
                let owner = self.last_struct()?;
                let fields = &mut self.plan.structs[owner].fields;
                if self.fields[owner]
                    .insert((*attribute).to_owned(), fields.len())
                    .is_some()
                {
                    return Err("a field that is listed twice".to_owned());
                }
                fields.push(Field {
                    attribute: (*attribute).to_owned(),
                    name: (*name).to_owned(),
                    type_name: type_name.trim_end_matches('?').to_owned(),
                    default: default.join(" "),
                });
            }
            _ => return Err("unexpected words".to_owned()),
        }
        Ok(())
    }

    /// Return the number of the latest struct.
    fn last_struct(&self) -> Parsed<usize> {
        self.fields
            .len()
            .checked_sub(1)
            .ok_or_else(|| "a field without a struct".to_owned())
    }

    /// Return the number of a field of a struct.
    fn field(&self, owner: usize, attribute: &str) -> Parsed<usize> {
        let found = self.fields[owner].get(attribute).copied();
        found.ok_or_else(|| format!("no field {attribute:?}"))
    }

    /// Read a line of a layout; return `false` for other lines.
    fn layout_line(&mut self, layout: &mut Layout, words: &[&str]) -> Parsed<bool> {
        let owner = layout.struct_number;
        match words {
            ["", ":tag", tag, attribute, codec] => {
                let (tag, field) = (number(tag)?, self.field(owner, attribute)?);
                layout.tagged.push(Tagged {
                    tag,
                    field,
                    codec: self.codec(codec)?,
                });
            }
            ["", ":foreign", tags @ ..] => {
                layout.foreign = tags.iter().map(|tag| number(tag)).collect::<Parsed<_>>()?;
            }
            ["", word @ (":guard" | ":skip"), attributes @ ..] => {
                let fields = attributes
                    .iter()
                    .map(|name| self.field(owner, name))
                    .collect::<Parsed<Vec<_>>>()?;
                layout.absent.extend(&fields);
                if *word == ":guard" {
                    layout.guarded.extend(fields);
                }
            }
            ["", attribute, codec] | ["", "+", attribute, codec] => {
                let (field, codec) = (self.field(owner, attribute)?, self.codec(codec)?);
                push_step(&mut layout.steps, field, codec);
            }
            ["", ..] => return Err("unexpected words".to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Begin a layout; `tag_charge` is the charge of tagged fields if it has a tag section.
    fn begin_layout(&mut self, layout: &str, class: &str, versions: &str, tag_charge: Option<&str>) -> Parsed<()> {
        let own: u32 = number(layout)?;
        if own as usize != self.plan.layouts.len() {
            return Err("a layout out of order".to_owned());
        }
        let found = self.structs.get(class).copied();
        let struct_number = found.ok_or("a layout of an unknown struct")?;
        for part in versions.split(',') {
            let (lowest, highest) = part.split_once('-').unwrap_or((part, part));
            let versions = number::<i16>(lowest)?..=number::<i16>(highest)?;
            for version in versions.filter(|_| struct_number == 0) {
                if !self.versions.insert(version) {
                    return Err(format!("version {version} is listed twice"));
                }
                self.plan.roots.push((i64::from(version), own));
            }
        }
        self.layout = Some(Layout {
            struct_number,
            flexible: tag_charge.is_some(),
            tag_charge: tag_charge.map(number).transpose()?.unwrap_or(0),
            ..Layout::default()
        });
        Ok(())
    }

    /// Finish the current layout, so that later layouts may refer to it.
    fn finish_layout(&mut self) -> Parsed<()> {
        let Some(mut layout) = self.layout.take() else {
            return Ok(());
        };
        let plan = &self.plan;
        let owner = &plan.structs[layout.struct_number];
        check_fields(&layout, owner)?;
        for (field, codec) in layout.fields().chain(layout.tagged()) {
            let Field {
                attribute, type_name, ..
            } = &owner.fields[field];
            if !plan.fits(type_name, codec) {
                return Err(format!(
                    "{attribute} has a codec that does not fit its type {type_name}"
                ));
            }
        }
        let codecs = layout.fields().chain(layout.tagged());
        layout.depth = 1 + codecs.map(|(_, codec)| plan.depth(codec)).max().unwrap_or(0);
        if layout.depth > DEEPEST {
            return Err(format!(
                "{} nests deeper than {DEEPEST}",
                plan.structs[layout.struct_number].class_name
            ));
        }
        let sizes = layout.fields().map(|(_, codec)| plan.smallest(codec));
        // Saturate, because nested structs could otherwise overflow.
        layout.smallest = sizes.fold(usize::from(layout.flexible), usize::saturating_add);
        let is_leaf = layout.fields().all(|(_, codec)| plan.is_flat(codec));
        layout.is_leaf = is_leaf;
        layout.tagged.sort_by_key(|tagged| tagged.tag);
        self.plan.layouts.push(layout);
        Ok(())
    }

    fn codec(&mut self, text: &str) -> Parsed<Codec> {
        self.codec_within(text, 0)
    }

    /// Parse the codec of a value inside `arrays` arrays. Their number is limited, so that the recursion can't overflow
    /// the stack.
    fn codec_within(&mut self, text: &str, arrays: u32) -> Parsed<Codec> {
        if arrays > DEEPEST {
            return Err(format!("arrays nest deeper than {DEEPEST}"));
        }
        let unmarked = text.trim_end_matches('&').trim_end_matches('?');
        let (compact, name) = match unmarked.strip_prefix("compact_") {
            Some(name) => (true, name),
            None => (false, unmarked),
        };
        let marks = &text[unmarked.len()..];
        let length = Length {
            compact,
            nullable: marks.starts_with('?'),
        };
        let (name, argument) = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
            Some((name, argument)) => (name, Some(argument)),
            None => (name, None),
        };
        Ok(match (name, argument, marks) {
            ("string", None, "" | "?") => Codec::String(length),
            // Older generators mark some fields of type `bytes` or `records` with `&`.
            ("bytes" | "records", None, "" | "?" | "&" | "?&") => Codec::Bytes(length),
            ("array", Some(argument), "" | "?") => {
                let (element, charge) = element_and_charge(argument)?;
                match self.codec_within(element, arrays + 1)? {
                    Codec::Fixed(kind) => Codec::FixedArray { length, kind, charge },
                    codec => {
                        self.plan.elements.push(Element { codec, charge });
                        let element = self.plan.elements.len() as u32 - 1;
                        Codec::Array { length, element }
                    }
                }
            }
            ("struct", Some(layout), "" | "?" | "??") if !compact => {
                let layout: u32 = number(layout)?;
                if layout as usize >= self.plan.layouts.len() {
                    return Err("a layout that is not above".to_owned());
                }
                let null = [NullMark::Never, NullMark::Int8, NullMark::Varint][marks.len()];
                Codec::Struct { layout, null }
            }
            ("packed16" | "packed32" | "packed64", None, "") if !compact => Codec::Packed(number(&name[6..])?),
            ("upacked16" | "upacked32" | "upacked64", None, "") if !compact => Codec::Upacked(number(&name[7..])?),
            _ => match Kind::named(name) {
                Some(kind) if argument.is_none() && marks.is_empty() && !compact => Codec::Fixed(kind),
                _ => return Err(format!("no codec {text:?}")),
            },
        })
    }
}

/// Split the text of an array's elements, such as `string,45`, into their codec and their charge. A charge of 0 is
/// omitted.
fn element_and_charge(argument: &str) -> Parsed<(&str, u32)> {
    match argument.rsplit_once(',') {
        Some((element, charge)) if !charge.ends_with(')') => Ok((element, number(charge)?)),
        _ => Ok((argument, 0)),
    }
}

/// Check that each field has exactly one place, so that every slot of an object is set, and that each tag has one
/// meaning.
fn check_fields(layout: &Layout, owner: &Struct) -> Parsed<()> {
    let mut places: Vec<usize> = layout.fields().chain(layout.tagged()).map(|(field, _)| field).collect();
    places.extend(&layout.absent);
    places.sort_unstable();
    if !places.iter().copied().eq(0..owner.fields.len()) {
        return Err(format!(
            "a layout of {} forgets a field or has one twice",
            owner.class_name
        ));
    }
    let mut tags: Vec<u32> = layout
        .tagged
        .iter()
        .map(|tagged| tagged.tag)
        .chain(layout.foreign.clone())
        .collect();
    tags.sort_unstable();
    if tags.windows(2).any(|pair| pair[0] == pair[1]) || (!tags.is_empty() && !layout.flexible) {
        return Err(format!(
            "a layout of {} has tags that can't be told apart",
            owner.class_name
        ));
    }
    Ok(())
}

fn push_step(steps: &mut Vec<Step>, field: usize, codec: Codec) {
    match (steps.last_mut(), codec) {
        (Some(Step::Run { size, members }), Codec::Fixed(kind)) => {
            members.push(Member { field, kind, at: *size });
            *size += kind.size();
        }
        (_, Codec::Fixed(kind)) => {
            steps.push(Step::Run {
                size: kind.size(),
                members: vec![Member { field, kind, at: 0 }],
            });
        }
        _ => steps.push(Step::Value { field, codec }),
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    word.parse().map_err(|_| format!("expected a number, got {word:?}"))
}
