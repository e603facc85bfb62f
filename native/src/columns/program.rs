//! Which columns a plan gives in one version, and how its bytes go into them.

use std::collections::BTreeSet;

use super::store::{Columns, Default as FieldDefault, Values};
use crate::plan::{Codec, Field, Kind, Layout, Length, NullMark, Plan, Tagged};

/// A plan of more columns would be no message of anybody.
const MOST_COLUMNS: usize = 10_000;

/// What becomes of a value.
#[derive(Clone, Copy)]
pub enum Target {
    /// It is passed over.
    Skip(Codec),
    /// It goes into a column.
    Leaf { codec: Codec, column: usize },
    /// Its fields go into columns as that struct says.
    Struct { null: NullMark, column: usize, number: usize },
    /// Its elements go where that target says.
    List { length: Length, column: usize, element: usize },
}

/// A field of the tag section: how to pass over it, and where it goes if anybody wants it.
pub struct TaggedTarget {
    pub tag: u32,
    pub field: usize,
    pub codec: Codec,
    pub wanted: Option<(usize, Target)>,
}

/// Fields of a struct that lie one after the other.
pub struct Run {
    /// Field and target, in the order of the wire.
    pub fields: Vec<(usize, Target)>,
    /// Set if all are integers or not wanted: then one look at the bytes that are left is enough.
    pub fixed: Option<FixedRun>,
}

/// Fields of constant size.
#[derive(Default)]
pub struct FixedRun {
    pub size: usize,
    /// Where the last field begins.
    pub last: usize,
    /// What is wanted.
    pub members: Vec<RunMember>,
}

/// An integer within a run.
pub struct RunMember {
    pub at: usize,
    pub kind: Kind,
    pub column: usize,
}

/// The fields of one struct at one place.
pub struct StructTarget {
    pub layout: u32,
    pub runs: Vec<Run>,
    pub tagged: Vec<TaggedTarget>,
}

/// What decoding runs.
pub struct Program {
    pub structs: Vec<StructTarget>,
    /// The targets of arrays' elements.
    pub elements: Vec<Target>,
    /// The column of the message, and the number of its struct.
    pub root_column: usize,
    pub root_struct: usize,
    /// The columns of the message's fields.
    pub top: Vec<usize>,
    pub errors: ErrorColumns,
}

impl Program {
    /// What becomes of a whole row.
    pub fn root(&self) -> Target {
        Target::Struct { null: NullMark::Never, column: self.root_column, number: self.root_struct }
    }
}

/// Where it goes what is wrong with a row; null for the others.
pub struct ErrorColumns {
    pub whole: usize,
    pub message: usize,
    pub path: usize,
    pub offset: usize,
}

/// Turns a default's text, JSON, into a value of a Kafka type.
pub type ReadDefault<'a, E> = dyn FnMut(&Field) -> Result<FieldDefault, E> + 'a;

/// What is wrong with the question for columns.
pub enum ProgramError<E> {
    /// A version that the message does not have.
    Version,
    /// Anything else.
    Text(String),
    /// A default could not be read.
    Default(E),
}

/// The program and the empty columns of some fields (`None`: all) in one version.
pub fn compile<E>(
    plan: &Plan,
    version: i64,
    wanted: Option<&[String]>,
    read_default: &mut ReadDefault<'_, E>,
) -> Result<(Program, Columns), ProgramError<E>> {
    let found = plan.roots.iter().rev().find(|(known, _)| *known == version);
    let Some(&(_, layout)) = found else {
        return Err(ProgramError::Version);
    };
    if let Some(wanted) = wanted {
        wanted.iter().try_for_each(|path| check_path(plan, path)).map_err(ProgramError::Text)?;
    }
    let mut compiler = Compiler {
        plan,
        wanted: wanted.map(|paths| paths.iter().map(String::as_str).collect()),
        read_default,
        columns: Columns::default(),
        structs: Vec::new(),
        elements: Vec::new(),
    };
    let (root_struct, top) = compiler.structure(layout, "", true)?;
    let mut columns = compiler.columns;
    let errors = error_columns(&mut columns);
    let all = top.iter().copied().chain([errors.whole]).collect();
    let root_column = columns.add("", Values::Struct(0, all), false, FieldDefault::Empty);
    let (structs, elements) = (compiler.structs, compiler.elements);
    Ok((Program { structs, elements, root_column, root_struct, top, errors }, columns))
}

fn error_columns(columns: &mut Columns) -> ErrorColumns {
    let message = columns.add("message", Values::text(), false, FieldDefault::Empty);
    let path = columns.add("path", Values::text(), false, FieldDefault::Empty);
    let offset = columns.add("offset", Values::Int64(Vec::new()), false, FieldDefault::Empty);
    let whole = columns.add("_error", Values::Struct(0, vec![message, path, offset]), true, FieldDefault::Null);
    ErrorColumns { whole, message, path, offset }
}

/// A path must lead to a field of some version: attributes with dots between them, arrays without an index.
fn check_path(plan: &Plan, path: &str) -> Result<(), String> {
    let mut owner = &plan.structs[0];
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let names = || owner.fields.iter().map(|field| field.attribute.as_str()).collect::<Vec<_>>().join(", ");
        let Some(field) = owner.fields.iter().find(|field| field.attribute == part) else {
            let class = &owner.class_name;
            return Err(format!("there is no field {path:?}: {class} has no {part:?}; its fields are {}", names()));
        };
        let type_name = field.type_name.trim_start_matches("[]");
        match plan.structs.iter().find(|inner| inner.class_name == type_name) {
            Some(inner) => owner = inner,
            None if parts.peek().is_some() => {
                return Err(format!("there is no field {path:?}: {part:?} is no struct and has no fields"));
            }
            None => (),
        }
    }
    Ok(())
}

struct Compiler<'a, E> {
    plan: &'a Plan,
    wanted: Option<BTreeSet<&'a str>>,
    read_default: &'a mut ReadDefault<'a, E>,
    columns: Columns,
    structs: Vec<StructTarget>,
    elements: Vec<Target>,
}

impl<E> Compiler<'_, E> {
    /// The struct of a layout at a path; gives its number and its columns.
    fn structure(&mut self, layout: u32, path: &str, top: bool) -> Result<(usize, Vec<usize>), ProgramError<E>> {
        let plan = self.plan;
        let body = &plan.layouts[layout as usize];
        let codecs = body.steps.iter().copied().chain(body.tagged.iter().map(|tagged| (tagged.field, tagged.codec)));
        let mut targets: Vec<Option<(usize, Target)>> = vec![None; plan.structs[body.struct_number].fields.len()];
        let mut order: Vec<(usize, Codec)> =
            codecs.map(|(field, codec)| (field, plan.codecs[codec as usize])).collect();
        // Columns come as callers see the fields, whatever the order of the wire.
        order.sort_by_key(|(field, _)| *field);
        let mut columns = Vec::new();
        for (field, codec) in order {
            targets[field] = self.field(body, field, codec, path, top)?;
            columns.extend(targets[field].map(|(column, _)| column));
        }
        let tagged = body.tagged.iter().map(|tagged| self.tagged(*tagged, targets[tagged.field])).collect();
        let steps = body.steps.iter().map(|(field, codec)| {
            let skipped = Target::Skip(plan.codecs[*codec as usize]);
            (*field, targets[*field].map_or(skipped, |(_, target)| target))
        });
        let runs = runs(steps);
        self.structs.push(StructTarget { layout, runs, tagged });
        Ok((self.structs.len() - 1, columns))
    }

    fn tagged(&self, tagged: Tagged, wanted: Option<(usize, Target)>) -> TaggedTarget {
        let codec = self.plan.codecs[tagged.codec as usize];
        TaggedTarget { tag: tagged.tag, field: tagged.field, codec, wanted }
    }

    /// Column and target of a field, if it or something within it is wanted.
    fn field(
        &mut self,
        body: &Layout,
        field: usize,
        codec: Codec,
        path: &str,
        top: bool,
    ) -> Result<Option<(usize, Target)>, ProgramError<E>> {
        let field = &self.plan.structs[body.struct_number].fields[field];
        let path = if path.is_empty() { field.attribute.clone() } else { format!("{path}.{}", field.attribute) };
        if !self.is_wanted(&path) {
            return Ok(None);
        }
        if self.columns.count() >= MOST_COLUMNS {
            return Err(ProgramError::Text(format!("the plan has more than {MOST_COLUMNS} columns")));
        }
        let default = (self.read_default)(field).map_err(ProgramError::Default)?;
        let place = Place { name: &field.attribute, type_name: &field.type_name, path: &path };
        self.target(codec, place, top || field.nullable, default).map(Some)
    }

    fn target(
        &mut self,
        codec: Codec,
        place: Place<'_>,
        nullable: bool,
        default: FieldDefault,
    ) -> Result<(usize, Target), ProgramError<E>> {
        let without_value = if default == FieldDefault::Null { FieldDefault::Null } else { FieldDefault::Empty };
        match codec {
            Codec::Struct { layout, null } => {
                let (number, fields) = self.structure(layout, place.path, false)?;
                let column = self.columns.add(place.name, Values::Struct(0, fields), nullable, without_value);
                Ok((column, Target::Struct { null, column, number }))
            }
            Codec::Array { length, element } => {
                let codec = self.plan.codecs[element as usize];
                let inner = Place { name: "item", type_name: place.type_name.trim_start_matches("[]"), ..place };
                let (items, target) = self.target(codec, inner, false, FieldDefault::Empty)?;
                self.elements.push(target);
                let column = self.columns.add(place.name, Values::list(items), nullable, without_value);
                Ok((column, Target::List { length, column, element: self.elements.len() - 1 }))
            }
            _ => {
                let values = Values::of_type(place.type_name).filter(|values| values.take(codec));
                let Some(values) = values else {
                    let text = format!("{} has a type {} that its codec can't carry", place.path, place.type_name);
                    return Err(ProgramError::Text(text));
                };
                let column = self.columns.add(place.name, values, nullable, default);
                Ok((column, Target::Leaf { codec, column }))
            }
        }
    }

    /// A field is wanted with all that is within it, and for something within it.
    fn is_wanted(&self, path: &str) -> bool {
        let within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let Some(wanted) = &self.wanted else { return true };
        wanted.iter().any(|one| within(path, one) || within(one, path))
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

#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    type_name: &'a str,
    path: &'a str,
}
