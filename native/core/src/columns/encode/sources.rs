//! Where the values of messages come from that are written from Arrow columns, for each version.

use std::collections::HashMap;

use super::constant::constant;
use super::default_test::DefaultTest;
use super::fields::{Fields, fields, wrong_type};
use super::leaf::Leaf;
use crate::arrow::input::{Data, Input};
use crate::columns::defaults::Defaults;
use crate::columns::paths::{codec_of, within};
use crate::columns::versions::VersionMap;
use crate::error::Part;
use crate::outcome::{Error, Outcome};
use crate::plan::{Codec, Layout, Length, NullMark, Plan};

/// Where a value comes from.
pub enum Source<'a> {
    /// The bytes of the default: there is no column.
    Constant(Vec<u8>),
    /// There is no column, and the default can't be written.
    Refused(String, Vec<Part>),
    Leaf {
        codec: Codec,
        input: &'a Input<'a>,
    },
    Struct {
        null: NullMark,
        input: &'a Input<'a>,
        number: usize,
    },
    List {
        length: Length,
        input: &'a Input<'a>,
        element: usize,
    },
}

/// A field of the tag section, which is written unless it is its default.
pub struct TaggedSource<'a> {
    pub tag: u32,
    pub field: usize,
    pub source: Source<'a>,
    pub default: Option<DefaultTest<'a>>,
}

/// The fields of one struct at one place in one layout.
pub struct StructSource<'a> {
    pub layout: u32,
    pub flexible: bool,
    /// Fields that the version lacks, which must hold their default.
    pub guards: Vec<(usize, DefaultTest<'a>)>,
    pub steps: Vec<(usize, Source<'a>)>,
    /// By ascending tag.
    pub tagged: Vec<TaggedSource<'a>>,
    pub unknown: Option<&'a Input<'a>>,
}

/// Where the values of a batch come from.
pub struct Sources<'a> {
    pub structs: Vec<StructSource<'a>>,
    /// Where the elements of arrays come from.
    pub elements: Vec<Source<'a>>,
    /// The number of the message's struct, by the version.
    pub roots: VersionMap<usize>,
    /// The errors of rows that could not be decoded, if there is a column for them.
    pub errors: Option<&'a Input<'a>>,
}

/// Finds the columns for the fields of some versions, which come with their layouts.
///
/// `Kind::Type` for a column of a type that its field can't take, `Kind::Value` for a column that no field has.
pub fn sources<'a>(
    plan: &'a Plan,
    defaults: &'a Defaults,
    versions: &VersionMap<u32>,
    rows: &'a Input<'a>,
) -> Outcome<Sources<'a>> {
    let Data::Struct(all) = &rows.data else {
        let text = format!("an Arrow struct array or a record batch is needed, not an array of {}", rows.data_type);
        return Err(Error::wrong_type(text));
    };
    let mut finder = Finder { plan, defaults, structs: Vec::new(), elements: Vec::new(), done: HashMap::new() };
    let roots = versions.try_map(|layout| finder.structure(layout, rows, ""))?;
    let errors = all.iter().find(|column| column.name == "_error");
    Ok(Sources { structs: finder.structs, elements: finder.elements, roots, errors })
}

struct Finder<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    structs: Vec<StructSource<'a>>,
    elements: Vec<Source<'a>>,
    /// Structs by the address of their column and their layout: most versions share most layouts.
    done: HashMap<(*const Input<'a>, u32), usize>,
}

impl<'a> Finder<'a> {
    /// The number of the struct that writes a layout from the columns of a struct array, or from none.
    fn structure(&mut self, number: u32, input: &'a Input<'a>, path: &str) -> Outcome<usize> {
        if let Some(done) = self.done.get(&(std::ptr::from_ref(input), number)) {
            return Ok(*done);
        }
        let layout = &self.plan.layouts[number as usize];
        let columns = fields(self.plan, layout.struct_number, input, path)?;
        let steps = layout.steps.iter().map(|(field, codec)| {
            Ok((*field, self.source(layout, *field, self.plan.codecs[*codec as usize], &columns, path)?))
        });
        let steps = steps.collect::<Outcome<Vec<_>>>()?;
        let guards = layout.guarded.iter().filter_map(|field| Some((*field, columns.fields[*field]?)));
        let guards = guards.map(|(field, column)| Ok((field, self.test(layout, field, column, path)?)));
        let guards = guards.collect::<Outcome<Vec<_>>>()?;
        let tagged = self.tagged(layout, &columns, path)?;
        let (flexible, unknown) = (layout.flexible, columns.unknown);
        self.structs.push(StructSource { layout: number, flexible, guards, steps, tagged, unknown });
        self.done.insert((std::ptr::from_ref(input), number), self.structs.len() - 1);
        Ok(self.structs.len() - 1)
    }

    fn tagged(&mut self, layout: &'a Layout, columns: &Fields<'a>, path: &str) -> Outcome<Vec<TaggedSource<'a>>> {
        let mut found = Vec::new();
        for tagged in &layout.tagged {
            let (tag, field) = (tagged.tag, tagged.field);
            let default = match columns.fields[field] {
                Some(column) => Some(self.test(layout, field, column, path)?),
                None if self.defaults.get(layout.struct_number, field).is_nan() => None,
                None => continue,
            };
            let codec = self.plan.codecs[tagged.codec as usize];
            let source = self.source(layout, field, codec, columns, path)?;
            found.push(TaggedSource { tag, field, source, default });
        }
        found.sort_by_key(|tagged| tagged.tag);
        Ok(found)
    }

    fn test(&self, layout: &Layout, field: usize, column: &'a Input<'a>, path: &str) -> Outcome<DefaultTest<'a>> {
        let codec = codec_of(layout, field).map(|codec| self.plan.codecs[codec as usize]);
        DefaultTest::new(self.plan, self.defaults, (layout.struct_number, field), codec, column, path)
    }

    fn source(
        &mut self,
        layout: &'a Layout,
        field: usize,
        codec: Codec,
        columns: &Fields<'a>,
        path: &str,
    ) -> Outcome<Source<'a>> {
        let described = &self.plan.structs[layout.struct_number].fields[field];
        let path = within(path, &described.attribute);
        match columns.fields[field] {
            Some(column) => self.column(codec, &described.type_name, column, &path),
            None => {
                let default = self.defaults.get(layout.struct_number, field);
                let bytes = constant(self.plan, self.defaults, codec, default)?;
                Ok(bytes.map_or_else(|(text, path)| Source::Refused(text, path), Source::Constant))
            }
        }
    }

    fn column(&mut self, codec: Codec, type_name: &str, input: &'a Input<'a>, path: &str) -> Outcome<Source<'a>> {
        match (codec, &input.data) {
            (Codec::Struct { layout, null }, Data::Struct(_) | Data::Nothing) => {
                Ok(Source::Struct { null, input, number: self.structure(layout, input, path)? })
            }
            (Codec::Array { length, element }, Data::List { .. } | Data::Nothing) => {
                let below = if let Data::List { elements, .. } = &input.data { elements } else { input };
                let codec = self.plan.codecs[element as usize];
                let source = self.column(codec, type_name.trim_start_matches("[]"), below, path)?;
                self.elements.push(source);
                Ok(Source::List { length, input, element: self.elements.len() - 1 })
            }
            (Codec::Struct { .. }, _) => Err(wrong_type(path, "a struct", input)),
            (Codec::Array { .. }, _) => Err(wrong_type(path, "a list", input)),
            _ => match Leaf::of_codec(codec) {
                Some(leaf) if leaf.accepts(input) => Ok(Source::Leaf { codec, input }),
                leaf => Err(wrong_type(path, leaf.map_or("nothing", Leaf::needs), input)),
            },
        }
    }
}
