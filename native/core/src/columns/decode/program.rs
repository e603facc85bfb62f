//! A compiled program: how the bytes of each version go into the columns.

use std::collections::HashMap;

use super::schema::{ErrorShape, MapShape, RootShape, Schema, Shape, StructShape};
use crate::arrow::builder::{Columns, Values};
use crate::columns::budget::Cost;
use crate::columns::defaults::FieldDefault;
use crate::columns::paths::codec_of;
use crate::columns::versions::VersionMap;
use crate::plan::{Codec, Kind, Length, NullMark, Plan, Tagged};

/// Where a value goes.
#[derive(Clone, Copy)]
pub enum Target {
    /// Nowhere.
    Skip(Codec),
    /// Into a column.
    Leaf { codec: Codec, column: usize },
    /// Its fields go where that [`StructTarget`] says.
    Struct { null: NullMark, column: usize, number: usize },
    /// Its elements, all of one constant size, go into a column together.
    FixedList { length: Length, column: usize, kind: Kind, items: usize },
    /// Its elements go where that [`Element`] says.
    List { length: Length, column: usize, element: usize },
}

/// The elements of an array.
#[derive(Clone, Copy)]
pub struct Element {
    pub target: Target,
    pub cost: Cost,
}

/// What an unknown tagged field costs: at least two bytes for tag and size; in columns a tag, an offset, and three validity
/// bits.
pub const UNKNOWN_COST: Cost = Cost { bits: 2 * 32 + 3, smallest: 2 };

/// A field of the tag section: how to skip it, and where it goes if it is selected.
pub struct TaggedTarget {
    pub tag: u32,
    pub field: usize,
    pub codec: Codec,
    pub selected: Option<Target>,
}

impl TaggedTarget {
    fn is_skipped(&self) -> bool {
        self.selected.is_none()
    }
}

/// Consecutive fields of a struct.
pub struct Run {
    /// Field and target, in the order of the wire.
    pub fields: Vec<(usize, Target)>,
    /// Set if all are integers, or of constant size and not selected: then the bytes that are left are checked once.
    pub fixed: Option<FixedRun>,
}

impl Run {
    fn is_plain(&self) -> bool {
        let is_plain = |target: &Target| matches!(target, Target::FixedList { .. } | Target::Skip(_));
        self.fixed.is_some() || self.fields.iter().all(|(_, target)| is_plain(target))
    }
}

/// Fields of constant size.
#[derive(Default)]
pub struct FixedRun {
    pub size: usize,
    /// Where the last field begins.
    pub last: usize,
    /// The selected fields.
    pub members: Vec<RunMember>,
}

/// An integer within a run.
pub struct RunMember {
    pub at: usize,
    pub kind: Kind,
    pub column: usize,
}

/// The fields of one struct at one place in one layout.
pub struct StructTarget {
    pub layout: u32,
    pub flexible: bool,
    pub runs: Vec<Run>,
    pub tagged: Vec<TaggedTarget>,
    pub unknown: Option<MapShape>,
    /// Columns of fields that only other layouts have.
    pub absent: Vec<usize>,
    /// Whether all that goes into columns is of constant size, or arrays of that: then many structs are read together.
    pub plain: bool,
}

/// A program that decodes messages of some versions into columns.
pub struct Program {
    pub structs: Vec<StructTarget>,
    pub elements: Vec<Element>,
    /// The number of the message's struct, by version.
    pub roots: VersionMap<usize>,
    pub root_column: usize,
    /// The columns of the message's fields.
    pub top: Vec<usize>,
    pub errors: ErrorShape,
    /// What columns hold where a field is not on the wire.
    pub defaults: Vec<FieldDefault>,
    /// The columns, without values.
    pub columns: Columns,
}

impl Program {
    /// Compiles a schema for messages of some versions, which come with their layouts.
    pub fn new(plan: &Plan, schema: Schema, versions: &VersionMap<u32>) -> Self {
        let Schema { columns, shape, defaults } = schema;
        let (structs, elements, done) = (Vec::new(), Vec::new(), HashMap::new());
        let mut compiler = Compiler { plan, columns: &columns, defaults: &defaults, structs, elements, done };
        let roots = versions.map(|layout| compiler.structure(layout, &shape.message));
        let Compiler { structs, elements, .. } = compiler;
        let RootShape { message, top, errors } = shape;
        Program { structs, elements, roots, root_column: message.column, top, errors, defaults, columns }
    }
}

struct Compiler<'a> {
    plan: &'a Plan,
    columns: &'a Columns,
    defaults: &'a [FieldDefault],
    structs: Vec<StructTarget>,
    elements: Vec<Element>,
    /// Structs by column and layout: most versions share most layouts.
    done: HashMap<(usize, u32), usize>,
}

impl Compiler<'_> {
    /// The number of the struct that reads a layout into those columns.
    fn structure(&mut self, number: u32, shape: &StructShape) -> usize {
        if let Some(done) = self.done.get(&(shape.column, number)) {
            return *done;
        }
        let layout = &self.plan.layouts[number as usize];
        let fields: Vec<_> =
            layout.steps.iter().map(|(field, codec)| (*field, self.field(*codec, &shape.fields[*field]))).collect();
        let tagged: Vec<_> = layout.tagged.iter().map(|tagged| self.tagged(*tagged, shape)).collect();
        let selected = shape.fields.iter().enumerate();
        let absent =
            selected.filter(|(field, _)| codec_of(layout, *field).is_none()).filter_map(|(_, shape)| shape.as_ref());
        let without_tags = shape.unknown.filter(|_| !layout.flexible).map(|map| map.map);
        let (runs, unknown) = (runs(fields.into_iter()), shape.unknown.filter(|_| layout.flexible));
        self.structs.push(StructTarget {
            layout: number,
            flexible: layout.flexible,
            plain: unknown.is_none() && runs.iter().all(Run::is_plain) && tagged.iter().all(TaggedTarget::is_skipped),
            runs,
            tagged,
            unknown,
            absent: absent.map(Shape::column).chain(without_tags).collect(),
        });
        self.done.insert((shape.column, number), self.structs.len() - 1);
        self.structs.len() - 1
    }

    fn field(&mut self, codec: u32, shape: &Option<Shape>) -> Target {
        let codec = self.plan.codecs[codec as usize];
        shape.as_ref().map_or(Target::Skip(codec), |shape| self.target(codec, shape))
    }

    fn tagged(&mut self, tagged: Tagged, shape: &StructShape) -> TaggedTarget {
        let codec = self.plan.codecs[tagged.codec as usize];
        let selected = shape.fields[tagged.field].as_ref().map(|shape| self.target(codec, shape));
        TaggedTarget { tag: tagged.tag, field: tagged.field, codec, selected }
    }

    /// The most bits that one value adds to a column and to the columns of a struct's fields, without texts and bytes of the
    /// message and without elements of arrays.
    fn bits(&self, column: usize) -> u64 {
        let values = self.columns.values(column);
        let (fields, default) = match (values, &self.defaults[column]) {
            (Values::Struct(_, fields), _) => (fields.iter().map(|field| self.bits(*field)).sum(), 0),
            (Values::Text(_) | Values::Bytes(_), FieldDefault::Bytes(bytes)) => (0, 8 * bytes.len() as u64),
            _ => (0, 0),
        };
        1 + values.bits() + default + fields
    }

    /// The shape was made of this codec among others, so it is of its kind.
    fn target(&mut self, codec: Codec, shape: &Shape) -> Target {
        match (codec, shape) {
            (Codec::Struct { layout, null }, Shape::Struct(shape)) => {
                Target::Struct { null, column: shape.column, number: self.structure(layout, shape) }
            }
            (Codec::Array { length, element }, Shape::List { column, element: shape }) => {
                let target = self.target(self.plan.codecs[element as usize], shape);
                if let Target::Leaf { codec: Codec::Fixed(kind), column: items } = target {
                    return Target::FixedList { length, column: *column, kind, items };
                }
                let smallest = self.plan.smallest(self.plan.codecs[element as usize]);
                let cost = Cost { bits: self.bits(shape.column()), smallest };
                self.elements.push(Element { target, cost });
                Target::List { length, column: *column, element: self.elements.len() - 1 }
            }
            _ => Target::Leaf { codec, column: shape.column() },
        }
    }
}

/// Groups fields into runs of constant size and others.
fn runs(steps: impl Iterator<Item = (usize, Target)>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (field, target) in steps {
        let fixed = match target {
            Target::Skip(Codec::Fixed(kind)) => Some((kind, None)),
            Target::Leaf { codec: Codec::Fixed(kind), column } if !matches!(kind, Kind::Float64 | Kind::Uuid) => {
                Some((kind, Some(column)))
            }
            _ => None,
        };
        match (&mut runs.last_mut(), fixed) {
            (Some(Run { fixed: Some(_), .. }), Some(_)) => (),
            (_, Some(_)) => runs.push(Run { fields: Vec::new(), fixed: Some(FixedRun::default()) }),
            (_, None) => runs.push(Run { fields: Vec::new(), fixed: None }),
        }
        let Some(run) = runs.last_mut() else { continue };
        run.fields.push((field, target));
        if let (Some(run), Some((kind, column))) = (&mut run.fixed, fixed) {
            run.members.extend(column.map(|column| RunMember { at: run.size, kind, column }));
            run.last = run.size;
            run.size += kind.size();
        }
    }
    runs
}
