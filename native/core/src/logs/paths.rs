//! Functions that split and join local paths and URLs in the same way.

use glob::{MatchOptions, Pattern};

/// Whether a path is the URL of an object store, rather than a local path or a `file:` URL.
pub fn is_url(path: &str) -> bool {
    let Some((scheme, _)) = path.split_once("://") else {
        return false;
    };
    let mut letters = scheme.bytes();
    !scheme.eq_ignore_ascii_case("file")
        && letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || b"+.-".contains(&letter))
}

/// Return the index at which folder names begin: after the root of a local path, or after the bucket of a URL.
fn root(path: &str) -> usize {
    match path.find("://") {
        Some(at) if is_url(path) => path[at + 3..].find('/').map_or(path.len(), |slash| at + 3 + slash + 1),
        _ => usize::from(path.starts_with('/')),
    }
}

/// Return the folder that contains a file or folder.
pub fn parent(path: &str) -> String {
    let least = root(path);
    let plain = if path.len() > least {
        path.trim_end_matches('/')
    } else {
        path
    };
    let end = plain.rfind('/').map_or(0, |slash| slash.max(least.saturating_sub(1)));
    let above = match (end, least) {
        (0, 0) => ".",
        (end, least) if end < least && !is_url(plain) => &plain[..least],
        (end, _) => &plain[..end],
    };
    above.to_owned()
}

/// Return the last part of a path; if the path is a bucket, return the bucket's name.
pub fn name(path: &str) -> &str {
    let plain = path.trim_end_matches('/');
    plain.rfind('/').map_or(plain, |slash| &plain[slash + 1..])
}

/// Return the path of an entry in a folder.
pub fn join(folder: &str, name: &str) -> String {
    let sign = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{sign}{name}")
}

/// Replace the last suffix of a path by a different one, such as `.index`.
pub fn with_suffix(path: &str, suffix: &str) -> String {
    let name_at = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path[name_at..].rfind('.').map_or(path.len(), |dot| name_at + dot);
    format!("{}{suffix}", &path[..end])
}

/// Whether a path is a pattern, which may match several paths.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// Split a path before the first name that is a pattern. Return the folder before it, and the names from there on.
pub fn pattern_parts(path: &str) -> (&str, Vec<&str>) {
    let Some(sign) = path.find(['*', '?', '[']) else {
        return (path, Vec::new());
    };
    let end = path[..sign]
        .rfind('/')
        .map_or(0, |slash| slash.max(root(path).saturating_sub(1)));
    let names = path[end..].split('/').filter(|name| !name.is_empty()).collect();
    (if end > 0 { &path[..end] } else { "/" }, names)
}

/// Whether a name matches a pattern with `*`, `?`, `[abc]` and `[!abc]`. A hidden name matches only a pattern that
/// begins with a dot.
pub fn matches(name: &str, pattern: &str) -> bool {
    let options = MatchOptions {
        require_literal_leading_dot: true,
        ..MatchOptions::new()
    };
    Pattern::new(pattern).map_or(name == pattern, |pattern| pattern.matches_with(name, options))
}
