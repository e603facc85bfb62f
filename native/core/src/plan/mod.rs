//! Plans, parsed from their text in generated modules.
//!
//! The format is described in `messagegen.plan.text`, which writes plans. The parser checks the properties that
//! decoders and encoders rely on. Layouts refer only to layouts above them. Each layout of a struct has exactly one
//! place for each field of the struct. Nothing nests deeper than [`DEEPEST`].

mod parse;

/// The format of plan text that this engine runs.
pub const PLAN_FORMAT: u32 = 3;

/// The maximum nesting depth of structs and arrays; the deepest message of Kafka 4.3.1 has ten levels.
pub const DEEPEST: u32 = 64;

/// The maximum number of characters of a plan that an error quotes.
const LONGEST_QUOTE: usize = 200;

/// Return the start of a string from a plan, for errors.
pub fn quoted(text: &str) -> String {
    text.chars().take(LONGEST_QUOTE).collect()
}

macro_rules! kinds {
    ($($kind:ident $name:literal $size:literal,)*) => {
        /// A big-endian fixed-size value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// The name and the number of bytes of each type, as in the runtime's table of primitive types.
            pub const TABLE: &[(&str, usize)] = &[$(($name, $size),)*];

            /// Return the number of bytes.
            pub const fn size(self) -> usize {
                match self {
                    $(Kind::$kind => $size,)*
                }
            }

            /// Return the type with this name.
            pub fn named(name: &str) -> Option<Kind> {
                match name {
                    $($name => Some(Kind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Bool "bool" 1,
    Int8 "int8" 1,
    Int16 "int16" 2,
    UInt16 "uint16" 2,
    Int32 "int32" 4,
    UInt32 "uint32" 4,
    Int64 "int64" 8,
    Float64 "float64" 8,
    Uuid "uuid" 16,
}

/// A type that is neither an array nor a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// A fixed-size value.
    Fixed(Kind),
    String,
    /// Bytes, or records.
    Bytes,
}

impl Primitive {
    /// Return the type with this name; `None` for arrays and structs.
    pub fn named(name: &str) -> Option<Primitive> {
        match name {
            "string" => Some(Primitive::String),
            "bytes" | "records" => Some(Primitive::Bytes),
            _ => Kind::named(name).map(Primitive::Fixed),
        }
    }
}

/// The wire format of a length. If `compact`, it is length + 1 as a varint, or 0 for null; otherwise it is an int16 or
/// int32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Length {
    pub compact: bool,
    pub nullable: bool,
}

/// The null mark before a struct (KIP-893); inside a tagged field it is a varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NullMark {
    Never,
    Int8,
    Varint,
}

/// The wire format of one value. Layout numbers are indexes of [`Plan::layouts`], and element numbers are indexes of
/// [`Plan::elements`].
///
/// A codec has eight bytes, so that it is passed in a register; larger codecs made walks a tenth slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Codec {
    Fixed(Kind),
    /// A signed value with this number of bits, as a zig-zag varint (KIP-625).
    Packed(u32),
    /// A signed value with this number of bits, whose two's complement is written as a varint (KIP-625).
    Upacked(u32),
    String(Length),
    Bytes(Length),
    Struct {
        layout: u32,
        null: NullMark,
    },
    /// An array of fixed-size values. Each element takes `charge` bytes from the message's budget.
    FixedArray {
        length: Length,
        kind: Kind,
        charge: u32,
    },
    /// An array of other values.
    Array {
        length: Length,
        element: u32,
    },
}

const _: () = assert!(size_of::<Codec>() == 8);

/// The codec of an array's elements, and their charge.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub codec: Codec,
    /// The number of bytes that each element takes from the message's budget.
    pub charge: u32,
}

/// A field, as it appears to callers.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Field {
    pub attribute: String,
    /// Kafka's name, as in its JSON.
    pub name: String,
    /// Kafka's type: `int32`, `[]string`, `Topic`, `[]Topic`.
    pub type_name: String,
    /// The default as JSON.
    pub default: String,
}

/// A struct, as it appears to callers.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Struct {
    pub class_name: String,
    pub fields: Vec<Field>,
    /// The attributes of all fields whose values are always or sometimes hidden.
    pub sensitive: Vec<String>,
}

/// A field in the tag section.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Tagged {
    pub tag: u32,
    pub field: usize,
    pub codec: Codec,
}

/// One step of reading or writing a struct.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Step {
    /// Consecutive fixed-size values, and their number of bytes.
    Run { size: usize, members: Vec<Member> },
    /// Any other value.
    Value { field: usize, codec: Codec },
}

/// A fixed-size value within a run.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Member {
    pub field: usize,
    pub kind: Kind,
    /// The offset of the value within the run, in bytes.
    pub at: usize,
}

/// The wire format of one struct in some versions. Fields are given by their numbers in the struct.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Layout {
    pub struct_number: usize,
    pub flexible: bool,
    /// The fields before the tag section, in wire order.
    pub steps: Vec<Step>,
    /// The fields in the tag section, sorted by tag.
    pub tagged: Vec<Tagged>,
    /// The number of bytes that each field of the tag section takes from the message's budget.
    pub tag_charge: u32,
    /// Tags that are known only in other versions.
    pub foreign: Vec<u32>,
    /// Fields that are not on the wire and must have their default.
    pub guarded: Vec<usize>,
    /// All fields that are not on the wire, including fields that may have any value.
    pub absent: Vec<usize>,
    /// The minimum number of bytes of the struct.
    pub smallest: usize,
    /// Whether the struct contains neither structs nor bytes; objects of such structs are always created eagerly.
    pub is_leaf: bool,
    depth: u32,
}

impl Layout {
    /// Return the codec of a field, tagged or not; `None` if it is not on the wire.
    pub fn codec_of(&self, field: usize) -> Option<Codec> {
        self.fields()
            .chain(self.tagged())
            .find_map(|(placed, codec)| (placed == field).then_some(codec))
    }

    /// Return the fields before the tag section with their codecs, in wire order.
    pub fn fields(&self) -> impl Iterator<Item = (usize, Codec)> {
        self.steps.iter().flat_map(|step| {
            let (members, value) = match step {
                Step::Run { members, .. } => (members.as_slice(), None),
                Step::Value { field, codec } => (Default::default(), Some((*field, *codec))),
            };
            members
                .iter()
                .map(|member| (member.field, Codec::Fixed(member.kind)))
                .chain(value)
        })
    }

    /// Replace the number of each field by `numbers[number]`.
    pub fn renumber(&mut self, numbers: &[usize]) {
        for step in &mut self.steps {
            match step {
                Step::Run { members, .. } => members
                    .iter_mut()
                    .for_each(|member| member.field = numbers[member.field]),
                Step::Value { field, .. } => *field = numbers[*field],
            }
        }
        self.tagged
            .iter_mut()
            .for_each(|tagged| tagged.field = numbers[tagged.field]);
        self.guarded
            .iter_mut()
            .chain(&mut self.absent)
            .for_each(|field| *field = numbers[*field]);
    }

    /// Return the fields of the tag section with their codecs.
    pub fn tagged(&self) -> impl Iterator<Item = (usize, Codec)> {
        self.tagged.iter().map(|tagged| (tagged.field, tagged.codec))
    }
}

/// One message in all its versions.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Plan {
    pub name: String,
    pub structs: Vec<Struct>,
    pub layouts: Vec<Layout>,
    /// The elements of all arrays whose elements are not fixed-size values.
    pub elements: Vec<Element>,
    /// The versions, each with the number of the message's layout in that version.
    pub roots: Vec<(i64, u32)>,
}

impl Plan {
    /// Return the codec of the elements of an array.
    #[inline]
    pub fn element(&self, number: u32) -> Codec {
        self.elements[number as usize].codec
    }

    /// Whether any value has a fixed-size type.
    pub fn has(&self, kind: Kind) -> bool {
        let is_of_kind = |codec| match codec {
            Codec::Fixed(one) | Codec::FixedArray { kind: one, .. } => one == kind,
            _ => false,
        };
        let mut fields = self
            .layouts
            .iter()
            .flat_map(|layout| layout.fields().chain(layout.tagged()));
        fields.any(|(_, codec)| is_of_kind(codec)) || self.elements.iter().any(|element| is_of_kind(element.codec))
    }

    /// Return the number of the struct that a Kafka type names, either directly or as the elements of an array; `None`
    /// for other types.
    pub fn struct_of(&self, type_name: &str) -> Option<usize> {
        let name = type_name.trim_start_matches("[]");
        self.structs.iter().position(|owner| owner.class_name == name)
    }

    /// Whether a field's type has the same arrays and the same struct as a codec.
    fn fits(&self, type_name: &str, codec: Codec) -> bool {
        match (type_name.strip_prefix("[]"), codec) {
            (Some(inner), Codec::Array { element, .. }) => self.fits(inner, self.element(element)),
            (Some(inner), Codec::FixedArray { .. }) => !inner.starts_with("[]") && self.struct_of(inner).is_none(),
            (None, Codec::Struct { layout, .. }) => {
                self.struct_of(type_name) == Some(self.layouts[layout as usize].struct_number)
            }
            (Some(_), _) | (None, Codec::Array { .. } | Codec::FixedArray { .. }) => false,
            (None, _) => self.struct_of(type_name).is_none(),
        }
    }

    /// Return the minimum number of bytes of a value.
    pub fn smallest(&self, codec: Codec) -> usize {
        match codec {
            Codec::Fixed(kind) => kind.size(),
            Codec::Struct {
                layout,
                null: NullMark::Never,
            } => self.layouts[layout as usize].smallest,
            Codec::Packed(_) | Codec::Upacked(_) | Codec::Struct { .. } => 1,
            Codec::String(Length { compact: false, .. }) => 2,
            Codec::Bytes(length) | Codec::FixedArray { length, .. } | Codec::Array { length, .. } => {
                if length.compact {
                    1
                } else {
                    4
                }
            }
            Codec::String(_) => 1,
        }
    }

    /// Whether an array element with this codec is a struct that a lazily decoded message may leave undecoded.
    pub fn sleeps(&self, codec: Codec) -> bool {
        matches!(codec, Codec::Struct { layout, .. } if !self.layouts[layout as usize].is_leaf)
    }

    fn is_flat(&self, codec: Codec) -> bool {
        match codec {
            Codec::Array { element, .. } => self.is_flat(self.element(element)),
            Codec::Struct { .. } | Codec::Bytes(_) => false,
            Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) | Codec::String(_) | Codec::FixedArray { .. } => {
                true
            }
        }
    }

    fn depth(&self, codec: Codec) -> u32 {
        match codec {
            Codec::Struct { layout, .. } => self.layouts[layout as usize].depth,
            Codec::Array { element, .. } => 1 + self.depth(self.element(element)),
            Codec::FixedArray { .. } => 1,
            Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) | Codec::String(_) | Codec::Bytes(_) => 0,
        }
    }
}
