use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// A folder as it is at one moment, to say later that nothing changed, or what did.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tree(BTreeMap<String, Node>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Folder { mode: u32 },
    File { bytes: u64, sha256: String, mode: u32 },
    Link { target: String },
}

impl Tree {
    /// Everything below this folder; links are named and never followed. A folder that is not there is empty.
    pub fn of(root: impl AsRef<Path>) -> Self {
        let mut nodes = BTreeMap::new();
        if root.as_ref().exists() {
            walk(root.as_ref(), "", &mut nodes);
        }
        Tree(nodes)
    }

    /// When each thing below this folder was last changed, to say that nothing was so much as touched.
    pub fn times(root: impl AsRef<Path>) -> BTreeMap<String, std::time::SystemTime> {
        let root = root.as_ref();
        let changed = |path: &str| root.join(path).symlink_metadata().unwrap().modified().unwrap();
        Tree::of(root).paths().into_iter().map(|path| (path.to_owned(), changed(path))).collect()
    }

    /// The same without this path and all below it.
    pub fn without(mut self, path: &str) -> Self {
        let below = format!("{path}/");
        self.0.retain(|name, _| name != path && !name.starts_with(&below));
        self
    }

    /// This path and all below it, and nothing else.
    pub fn below(&self, path: &str) -> Self {
        let below = format!("{path}/");
        let here = self.0.iter().filter(|(name, _)| *name == path || name.starts_with(&below));
        Tree(here.map(|(name, node)| (name.clone(), node.clone())).collect())
    }

    /// The digest of every file.
    pub fn digests(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(path, node)| match node {
            Node::File { sha256, .. } => Some((path.as_str(), sha256.as_str())),
            Node::Folder { .. } | Node::Link { .. } => None,
        })
    }

    /// The paths, `/` between their parts, in order.
    pub fn paths(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The paths of the files.
    pub fn files(&self) -> Vec<&str> {
        self.0.iter().filter(|(_, node)| matches!(node, Node::File { .. })).map(|(path, _)| path.as_str()).collect()
    }

    /// The size of each file.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().filter_map(|(path, node)| match node {
            Node::File { bytes, .. } => Some((path.as_str(), *bytes)),
            Node::Folder { .. } | Node::Link { .. } => None,
        })
    }

    pub fn get(&self, path: &str) -> Option<&Node> {
        self.0.get(path)
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// What is in one and not, or otherwise, in the other, a line each: `-` before, `+` after.
    pub fn difference(&self, after: &Tree) -> String {
        let mut lines = String::new();
        for (sign, here, there) in [('-', self, after), ('+', after, self)] {
            for (path, node) in &here.0 {
                if there.0.get(path) != Some(node) {
                    lines += &format!("{sign} {path}: {node}\n");
                }
            }
        }
        lines
    }

    /// Fails with the difference unless both are the same.
    #[track_caller]
    pub fn assert_same(&self, after: &Tree) {
        assert!(self == after, "the disk is not as it was before:\n{}", self.difference(after));
    }
}

/// Copies a folder and all below it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn walk(folder: &Path, prefix: &str, nodes: &mut BTreeMap<String, Node>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let about = entry.path().symlink_metadata().unwrap();
        let node = if about.is_symlink() {
            Node::Link { target: entry.path().read_link().unwrap().to_string_lossy().into_owned() }
        } else if about.is_dir() {
            walk(&entry.path(), &format!("{path}/"), nodes);
            Node::Folder { mode: mode(&about) }
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            Node::File { bytes: bytes.len() as u64, sha256: super::sha256(&bytes), mode: mode(&about) }
        };
        nodes.insert(path, node);
    }
}

#[cfg(unix)]
fn mode(about: &std::fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o7777
}

/// Where there are no modes, whether it may be written is what there is to compare.
#[cfg(not(unix))]
fn mode(about: &std::fs::Metadata) -> u32 {
    if about.permissions().readonly() { 0o444 } else { 0o666 }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Folder { mode } => write!(f, "folder {mode:o}"),
            Node::File { bytes, sha256, mode } => write!(f, "{bytes} bytes {} {mode:o}", &sha256[..12]),
            Node::Link { target } => write!(f, "link to {target}"),
        }
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(path, node)| writeln!(f, "{path}: {node}"))
    }
}
