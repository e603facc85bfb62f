"use strict";

// Finds messages and fields in `searchIndex`, which messages.js holds.
const find = (() => {
  const most = 30;
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

  // How well a name fits: smaller is better, and -1 says not at all.
  const rank = (name, wanted) => {
    const at = plain(name).indexOf(wanted);
    return at < 0 ? -1 : at * 100 + name.length;
  };

  const fieldHits = ([message, page, , , , fields], wanted) =>
    fields
      .map(([name, attribute, anchor]) => ({
        title: name,
        detail: `${attribute} in ${message}`,
        page: `${page}#${anchor}`,
        rank: rank(name, wanted),
      }))
      .filter((hit) => hit.rank >= 0)
      .map((hit) => ({ ...hit, rank: hit.rank + 10000 }));

  const messageHit = ([name, page, kind, key, about], typed, wanted) => {
    const records = kind === "request" || kind === "response" ? 0 : 1;
    const own = key !== "" && key === typed ? records : rank(name, wanted);
    const told = own < 0 && about.toLowerCase().includes(typed.toLowerCase()) ? 1000000 : own;
    const detail = key === "" ? kind : `${kind} ${key}`;
    return { title: name, detail, page, rank: told };
  };

  return (typed) => {
    const wanted = plain(typed);
    if (!wanted) return [];
    const messages = searchIndex.map((entry) => messageHit(entry, typed, wanted)).filter((hit) => hit.rank >= 0);
    const fields = wanted.length < 2 ? [] : searchIndex.flatMap((entry) => fieldHits(entry, wanted));
    return [...messages, ...fields].sort((one, other) => one.rank - other.rank).slice(0, most);
  };
})();
