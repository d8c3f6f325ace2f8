//! The house as `src/lib.rs` draws it: each room uses only the rooms it says, and inside a room no two files lean on
//! each other. Read from the syntax of the sources, so that nested `use`, `super::super`, re-exports and what stands in
//! a macro count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// A module by its names from the crate's root.
type ModulePath = Vec<String>;

/// What one module knows by name.
#[derive(Default)]
struct Module {
    /// Its file, from the sources' folder.
    file: PathBuf,
    /// Items and child modules that are defined here.
    own: BTreeSet<String>,
    /// Names brought in with `use`: the path each stands for, as written.
    brought: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names are brought in.
    globs: Vec<Vec<String>>,
    /// Every path that is written in it, outside of tests.
    named: BTreeSet<Vec<String>>,
}

/// All modules of a crate.
#[derive(Default)]
struct House(BTreeMap<ModulePath, Module>);

impl House {
    /// Reads the sources below a folder that has a `lib.rs`.
    fn read(sources: &Path) -> House {
        let mut house = House::default();
        house.read_file(sources, Path::new("lib.rs"), Vec::new());
        house
    }

    fn read_file(&mut self, sources: &Path, file: &Path, at: ModulePath) {
        let text =
            std::fs::read_to_string(sources.join(file)).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let syntax = syn::parse_file(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        self.read_items(sources, file, at, &syntax.items);
    }

    fn read_items(&mut self, sources: &Path, file: &Path, at: ModulePath, items: &[syn::Item]) {
        let mut reader = Reader { module: Module { file: file.to_owned(), ..Module::default() } };
        let mut children = Vec::new();
        for item in items.iter().filter(|item| !is_for_tests(item)) {
            if let Some(name) = name_of(item) {
                reader.module.own.insert(name);
            }
            match item {
                syn::Item::Mod(child) => children.push(child),
                syn::Item::Macro(made) if made.ident.is_some() => {}
                item => reader.visit_item(item),
            }
        }
        self.0.insert(at.clone(), reader.module);
        for child in children {
            let name = child.ident.to_string();
            let at = [at.clone(), vec![name.clone()]].concat();
            match &child.content {
                Some((_, items)) => self.read_items(sources, file, at, items),
                None => {
                    let written = paths_of(&child.attrs);
                    for (nth, path) in written.iter().enumerate() {
                        // The one for another system is a module of its own beside it.
                        let key = if nth == 0 {
                            at.clone()
                        } else {
                            [&at[..at.len() - 1], std::slice::from_ref(path)].concat()
                        };
                        self.read_file(sources, &file.parent().unwrap().join(path), key);
                    }
                    if written.is_empty() {
                        self.read_file(sources, &file_of_child(sources, file, &name), at);
                    }
                }
            }
        }
    }

    /// The module that defines what a path written in `from` names; none where it lies outside the crate.
    fn definer(&self, from: &ModulePath, path: &[String]) -> Option<ModulePath> {
        self.follow(from, path, &mut BTreeSet::new())
    }

    fn follow(
        &self,
        from: &ModulePath,
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, String)>,
    ) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => return self.descend(&Vec::new(), rest, seen),
            "self" => return self.descend(from, rest, seen),
            "super" => return self.follow_up(from, rest, seen),
            name => name,
        };
        // A name alone is only known to come from elsewhere where this module brought it in.
        let module = self.0.get(from)?;
        if !seen.insert((from.clone(), start.to_owned())) {
            return None;
        }
        if module.own.contains(start) {
            return self.descend(from, path, seen);
        }
        if let Some(meant) = module.brought.get(start) {
            return self.follow(from, &[meant.as_slice(), rest].concat(), seen);
        }
        module.globs.iter().find_map(|glob| self.follow(from, &[glob.as_slice(), path].concat(), seen))
    }

    fn follow_up(
        &self,
        from: &ModulePath,
        rest: &[String],
        seen: &mut BTreeSet<(ModulePath, String)>,
    ) -> Option<ModulePath> {
        let parent = from[..from.len().checked_sub(1)?].to_vec();
        match rest.first().map(String::as_str) {
            Some("super") => self.follow_up(&parent, &rest[1..], seen),
            _ => self.descend(&parent, rest, seen),
        }
    }

    fn descend(
        &self,
        at: &ModulePath,
        rest: &[String],
        seen: &mut BTreeSet<(ModulePath, String)>,
    ) -> Option<ModulePath> {
        let Some((name, after)) = rest.split_first() else { return Some(at.clone()) };
        let child = [at.clone(), vec![name.clone()]].concat();
        if self.0.contains_key(&child) {
            return self.descend(&child, after, seen);
        }
        let module = self.0.get(at)?;
        if module.own.contains(name) {
            return Some(at.clone());
        }
        if !seen.insert((at.clone(), name.clone())) {
            return None;
        }
        match module.brought.get(name) {
            Some(meant) => self.follow(at, &[meant.as_slice(), after].concat(), seen),
            None => module.globs.iter().find_map(|glob| self.follow(at, &[glob.as_slice(), rest].concat(), seen)),
        }
    }

    /// Which module names something of which other.
    fn arrows(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut arrows = BTreeSet::new();
        for (from, module) in &self.0 {
            let brought = module.brought.values();
            for path in brought.chain(&module.globs).chain(&module.named) {
                if let Some(to) = self.definer(from, path).filter(|to| to != from) {
                    arrows.insert((from.clone(), to));
                }
            }
        }
        arrows
    }

    /// Groups of files in which each leans on each, by way of others or at once. A module's file and the files of the
    /// modules in it are no two: one holds the other.
    fn circles(&self) -> Vec<BTreeSet<PathBuf>> {
        let mut arrows: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (from, to) in self.arrows() {
            let holds = from.starts_with(&to) || to.starts_with(&from);
            let (from, to) = (self.0[&from].file.as_path(), self.0[&to].file.as_path());
            if !holds && from != to {
                arrows.entry(from).or_default().insert(to);
            }
        }
        let reach = |start: &Path| {
            let mut reached = BTreeSet::new();
            let mut ahead = vec![start];
            while let Some(file) = ahead.pop() {
                ahead.extend(arrows.get(file).into_iter().flatten().copied().filter(|next| reached.insert(*next)));
            }
            reached.into_iter().map(Path::to_owned).collect::<BTreeSet<PathBuf>>()
        };
        let reached: BTreeMap<PathBuf, BTreeSet<PathBuf>> =
            arrows.keys().map(|file| (file.to_path_buf(), reach(file))).collect();
        let circle = |file: &PathBuf| -> BTreeSet<PathBuf> {
            let both = |other: &&PathBuf| reached.get(*other).is_some_and(|back| back.contains(file));
            reached[file].iter().filter(both).cloned().collect()
        };
        let circles: BTreeSet<BTreeSet<PathBuf>> =
            reached.keys().map(circle).filter(|circle| circle.len() > 1).collect();
        circles.into_iter().collect()
    }
}

/// Takes up what one module's items name.
struct Reader {
    module: Module,
}

impl Reader {
    fn bring(&mut self, before: &[String], tree: &syn::UseTree) {
        let and = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.bring(&and(&path.ident), &path.tree),
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.module.brought.extend(before.last().map(|last| (last.clone(), before.to_vec())));
            }
            syn::UseTree::Name(name) => drop(self.module.brought.insert(name.ident.to_string(), and(&name.ident))),
            syn::UseTree::Rename(name) if name.rename == "_" => drop(self.module.named.insert(and(&name.ident))),
            syn::UseTree::Rename(name) => drop(self.module.brought.insert(name.rename.to_string(), and(&name.ident))),
            syn::UseTree::Glob(_) => self.module.globs.push(before.to_vec()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.bring(before, tree)),
        }
    }

    /// Paths within the tokens of a macro's call: names with `::` between them.
    fn name_tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.name(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                proc_macro2::TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                proc_macro2::TokenTree::Group(group) => {
                    self.name(&mut path);
                    self.name_tokens(group.stream());
                }
                _ => self.name(&mut path),
            }
        }
        self.name(&mut path);
    }

    fn name(&mut self, path: &mut Vec<String>) {
        self.module.named.insert(std::mem::take(path));
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.bring(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.module.named.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.name_tokens(list.tokens.clone());
        }
    }

    fn visit_macro(&mut self, made: &'a syn::Macro) {
        self.visit_path(&made.path);
        self.name_tokens(made.tokens.clone());
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether it is compiled for tests alone: what they lean on is no part of the house.
fn is_for_tests(item: &syn::Item) -> bool {
    let conditions = attributes(item).iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let texts = conditions.filter_map(|attribute| Some(attribute.meta.require_list().ok()?.tokens.to_string()));
    texts.into_iter().any(|text| text == "test" || text.starts_with("all") && text.contains("(test ,"))
}

fn name_of(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Mod(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// The files that `path` names for a module, one for each kind of system.
fn paths_of(attributes: &[syn::Attribute]) -> Vec<String> {
    let metas = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg_attr")).flat_map(|attribute| {
        attribute.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated).unwrap()
    });
    metas
        .filter_map(|meta| match meta {
            syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(literal), .. })
                if path.is_ident("path") =>
            {
                match literal.lit {
                    syn::Lit::Str(text) => Some(text.value()),
                    _ => None,
                }
            }
            _ => None,
        })
        .collect()
}

/// Where rustc looks for `mod name;` written in a file.
fn file_of_child(sources: &Path, parent: &Path, name: &str) -> PathBuf {
    let folder = match parent.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib") => parent.parent().unwrap().to_owned(),
        _ => parent.with_extension(""),
    };
    let beside = folder.join(format!("{name}.rs"));
    if sources.join(&beside).exists() { beside } else { folder.join(name).join("mod.rs") }
}

/// The table of the crate's documentation: room to the rooms it may use.
fn map(sources: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<String>>();
    let text = std::fs::read_to_string(sources.join("lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.trim_start_matches('[').strip_prefix('`'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (cells[0].trim().trim_end_matches(']').trim_end_matches('`').to_owned(), quoted(cells[2]))
    })
    .collect()
}

/// Uses of a room that the map does not allow, and rooms it does not show.
fn off_the_map(map: &BTreeMap<String, BTreeSet<String>>, house: &House) -> Vec<String> {
    let rooms: BTreeSet<&String> = house.0.keys().filter_map(|module| module.first()).collect();
    let unknown = rooms.iter().filter(|room| !map.contains_key(**room)).map(|room| format!("{room} is not on the map"));
    let gone = map.keys().filter(|room| !rooms.contains(room)).map(|room| format!("{room} is on the map only"));
    let uses = house.arrows().into_iter().filter_map(|(from, to)| {
        let (room, used) = (from.first()?, to.first()?);
        let allowed = room == used || map.get(room).is_none_or(|allowed| allowed.contains(used));
        (!allowed).then(|| format!("{room} uses {used}: {} names something of {}", from.join("::"), to.join("::")))
    });
    unknown.chain(gone).chain(uses).collect()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The project's own, read once for all tests.
static HOUSE: LazyLock<House> = LazyLock::new(|| House::read(&sources()));

#[test]
fn every_room_is_on_the_map_and_uses_only_what_it_says() {
    assert_eq!(off_the_map(&map(&sources()), &HOUSE), Vec::<String>::new());
}

#[test]
fn no_two_files_of_a_room_lean_on_each_other() {
    assert_eq!(HOUSE.circles(), []);
}

/// A crate of these files, each a path and its text.
fn crate_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn no_way_of_naming_another_room_is_overlooked() {
    let lib = "//! | room | what | uses |\n//! |---|---|---|\n//! | [`low`] | | |\n//! | [`high`] | | `low` |\nmod low;\nmod high;";
    let high = "pub struct Roof; pub fn climb() {} pub mod attic { pub struct Box; }";
    for (what, low) in [
        ("a plain use", "use crate::high::Roof;"),
        ("a nested use", "use crate::{high::{attic::{self, Box}, Roof}};"),
        ("a use in a function", "fn f() { use crate::high::climb; climb() }"),
        ("by way of the parent", "mod deep { fn f() { super::super::high::climb() } }"),
        ("a path in a type", "fn f(_: &crate::high::Roof) {}"),
        ("a path in a macro", "fn f() { println!(\"{:?}\", [crate::high::climb()]) }"),
        ("an attribute", "#[derive(thing(crate::high::Roof))] struct Floor;"),
        ("another name", "use crate::high as above; fn f() { above::climb() }"),
        ("all names", "use crate::*; fn f() { high::climb() }"),
        ("offered on", "pub use super::high::attic::Box;"),
    ] {
        let folder = crate_of(&[("lib.rs", lib), ("low.rs", low), ("high/mod.rs", high)]);
        let found = off_the_map(&map(folder.path()), &House::read(folder.path()));
        assert!(found.iter().any(|found| found.starts_with("low uses high")), "{what}: {found:?}");
    }
    for (what, low) in [
        ("its own names", "fn f() { g() } fn g() {}"),
        ("a test", "#[cfg(test)] mod tests { use crate::high::Roof; }"),
        ("a name that is alike", "mod high { pub fn climb() {} } fn f() { high::climb() }"),
    ] {
        let folder = crate_of(&[("lib.rs", lib), ("low.rs", low), ("high/mod.rs", high)]);
        assert_eq!(off_the_map(&map(folder.path()), &House::read(folder.path())), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn a_circle_is_seen_also_by_way_of_a_door() {
    let room = "mod one; mod two; pub use one::One; fn door() { two::g() }";
    let files = [
        ("lib.rs", "mod room;"),
        ("room/mod.rs", room),
        ("room/one.rs", "pub struct One; fn f() { super::two::g() }"),
        ("room/two.rs", "use super::One; pub fn g() {} fn h(_: One) {}"),
    ];
    let circle = [PathBuf::from("room/one.rs"), PathBuf::from("room/two.rs")];
    assert_eq!(House::read(crate_of(&files).path()).circles(), [BTreeSet::from(circle)]);
    let files = [files[0], files[1], ("room/one.rs", "pub struct One;"), files[3]];
    assert_eq!(House::read(crate_of(&files).path()).circles(), []);
}
