//! The versions of a message, and the version of each row.

use arrow_data::ArrayData;

use crate::arrow::input::Input;
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

/// The layouts of some versions, by version. Versions are int16, and a message usually has few of them.
pub struct VersionMap(Vec<Option<u32>>);

impl VersionMap {
    /// Map some versions, or all versions of the message (`None`), to their layouts. Fail with `Kind::UnknownVersion`
    /// for an unknown version, and with `Kind::Value` for an empty list.
    pub fn new(plan: &Plan, versions: Option<&[i64]>) -> Outcome<Self> {
        let roots = &plan.roots;
        if versions.is_some_and(<[i64]>::is_empty) {
            return Err(Error::value("at least one version is needed"));
        }
        if let Some(unknown) = versions
            .unwrap_or_default()
            .iter()
            .find(|one| roots.iter().all(|root| root.0 != **one))
        {
            return Err(Error::unknown_version(*unknown));
        }
        let mut layouts = Vec::new();
        for (version, layout) in roots
            .iter()
            .filter(|root| versions.is_none_or(|wanted| wanted.contains(&root.0)))
        {
            let at = *version as usize;
            layouts.resize(layouts.len().max(at + 1), None);
            layouts[at] = Some(*layout);
        }
        Ok(VersionMap(layouts))
    }

    /// Return the layout of a version; `None` if the map lacks it.
    #[inline]
    pub fn get(&self, version: i128) -> Option<u32> {
        *self.0.get(usize::try_from(version).ok()?)?
    }

    /// Return all layouts.
    pub fn layouts(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied().flatten()
    }

    /// Return the error text for a version that is not in the map.
    #[cold]
    pub fn unexpected(&self, version: Option<i128>) -> String {
        let Some(version) = version else {
            return "the version is null".to_owned();
        };
        let known: Vec<usize> = (0..self.0.len()).filter(|version| self.0[*version].is_some()).collect();
        let known = match known[..] {
            [first, .., last] if last - first + 1 == known.len() => format!("{first} to {last}"),
            _ => known.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        };
        format!("unexpected version {version}; expected {known}")
    }
}

/// The argument for versions: one version for all rows, or an Arrow array with a version for each row.
pub enum VersionArgument {
    One(i64),
    Each(ArrayData),
}

impl VersionArgument {
    /// Return a function that maps a row to its version, or to `None` for null. Fail with `Kind::Type` for an array
    /// without integers, and with `Kind::Value` for an array whose length is not `count`.
    pub fn rows(&self, count: usize) -> Outcome<impl Fn(usize) -> Option<i128>> {
        let (one, array) = match self {
            VersionArgument::One(version) => (Some(i128::from(*version)), None),
            VersionArgument::Each(array) => (None, Some(Input::new("", array)?)),
        };
        if let Some(array) = &array {
            array.check_integers("versions")?;
            if array.length != count {
                let text = format!("there are {} versions for {count} values; each needs one", array.length);
                return Err(Error::value(text));
            }
        }
        Ok(move |row| match &array {
            Some(array) => array.wide_int(array.place(row)?),
            None => one,
        })
    }
}
