//! Tag sections (KIP-482): no tag comes twice.

use std::collections::HashSet;

use crate::wire::Cursor;

/// The tags of a section so far, to find one that comes twice. Tags that ascend need no memory; the others are compared
/// with a set.
pub struct SeenTags<'a> {
    first: Cursor<'a>,
    count: u32,
    next: u32,
    tags: Option<HashSet<u32>>,
}

impl<'a> SeenTags<'a> {
    /// Of a section whose first tag is at the cursor.
    #[inline]
    pub fn new(first: Cursor<'a>) -> Self {
        SeenTags {
            first,
            count: 0,
            next: 0,
            tags: None,
        }
    }

    /// Notes the next tag; `false` if it came before.
    #[inline]
    pub fn add(&mut self, tag: u32) -> bool {
        let is_new = if tag >= self.next && self.tags.is_none() {
            true
        } else {
            self.add_to_set(tag)
        };
        self.next = self.next.max(tag + 1);
        self.count += 1;
        is_new
    }

    #[cold]
    #[inline(never)]
    fn add_to_set(&mut self, tag: u32) -> bool {
        let (first, count) = (self.first, self.count);
        self.tags.get_or_insert_with(|| tags(first, count)).insert(tag)
    }
}

/// Tags that were read before.
fn tags(mut cursor: Cursor<'_>, count: u32) -> HashSet<u32> {
    let mut found = HashSet::new();
    for _ in 0..count {
        let Ok((tag, size)) = cursor.tag() else { break };
        found.insert(tag);
        if cursor.take(size).is_err() {
            break;
        }
    }
    found
}
