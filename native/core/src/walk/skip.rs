//! A sink that ignores the values of a message: the walk only checks them and finds their end.

use super::values::{Leaf, Sink, Walk};
use crate::error::{MessageResult, Part};
use crate::plan::{Codec, Layout, Member, NullMark};
use crate::wire::text_bytes;

/// A sink that skips values.
#[derive(Clone, Copy)]
pub struct Skip {
    /// Whether strings are checked to be UTF-8, which is unnecessary for bytes that have already been read.
    checks_texts: bool,
}

impl Skip {
    /// Return a sink for values that have not been read yet.
    pub const fn checked() -> Skip {
        Skip { checks_texts: true }
    }

    /// Return a sink for values that have already been read.
    pub const fn again() -> Skip {
        Skip { checks_texts: false }
    }
}

impl<'a, 'data> Sink<'a, 'data> for Skip {
    type Place = ();
    type Value = ();
    type Fields = ();
    type Items = ();

    fn elements(&mut self, walk: &mut Walk<'a, 'data>, (): (), element: Codec, count: usize) -> MessageResult<()> {
        if walk.plan.smallest(element) == 0 {
            // Structs without any bytes need no skipping, however many there are.
            return Ok(());
        }
        // Most tag sections are empty: a single zero byte.
        let before_tags = walk.constant_size(element);
        for index in 0..count {
            let begin = walk.cursor.at();
            if let Some(size) = before_tags
                && walk.cursor.pass_before_zero(size)
            {
                walk.start = begin + size;
                continue;
            }
            walk.start = begin;
            let skipped = match element {
                // Most elements are structs, and a call for each of them would take a third of the time.
                Codec::Struct {
                    layout: number,
                    null: NullMark::Never,
                } => walk.fields(self, &mut (), number, &walk.plan.layouts[number as usize]),
                element => walk.value(self, (), element),
            };
            skipped.map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn leaf(&mut self, (): (), leaf: Leaf<'data>) -> MessageResult<()> {
        if let Leaf::String(text) = leaf
            && self.checks_texts
        {
            text_bytes(text)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_array(&mut self, (): (), _: usize) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn place_of_elements(&self, (): (), (): &()) {}

    #[inline(always)]
    fn push(&mut self, (): &mut (), (): ()) {}

    #[inline(always)]
    fn end_array(&mut self, (): (), (): (), _: usize) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn begin_struct(&mut self, (): (), _: &'a Layout) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn place_of_field(&self, (): &(), _: usize) {}

    #[inline(always)]
    fn run(&mut self, (): &mut (), _: &'a [Member], _: &'data [u8], _: usize) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, (): &mut (), _: usize, (): ()) {}

    #[inline(always)]
    fn unknown_tag(&mut self, (): &mut (), _: u32, _: &'data [u8]) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn end_struct(&mut self, (): (), _: &'a Layout) -> MessageResult<()> {
        Ok(())
    }
}
