use super::finding;
use crate::disk::open_plain;
use crate::types::{Pointer, Problem, codes};
use std::io::Read;
use std::path::Path;

/// The width and height of an official icon.
const SIDE: u32 = 512;
/// How much of an image tells its size.
pub(super) const HEAD: u64 = 24;

/// Where the icons of a catalog's repository lie.
const COVERS: &str = "artwork/agent-covers";

/// What came of the look for an icon.
#[derive(Debug)]
pub(super) enum Icon {
    /// It is as it must be, and has so many bytes.
    Sound(u64),
    Wrong(Box<Problem>),
    /// It is not on this disk.
    Elsewhere,
}

/// Looks at a package's icon, when it lies on this disk: in `artwork/` beside the catalog's root or one folder up.
/// Whether it is `due` there, where others lie, is for the entry to say.
pub(super) fn check(root: &Path, id: &str, due: bool) -> Icon {
    let name = format!("{COVERS}/{id}.png");
    let folders = || std::iter::once(root).chain(root.parent());
    let message = match folders().map(|folder| folder.join(&name)).find(|path| path.is_file()) {
        Some(file) => {
            let mut head = Vec::new();
            // Whatever keeps it from being read, it is no image then.
            let bytes = open_plain(&file).and_then(|file| {
                let bytes = file.metadata()?.len();
                file.take(HEAD).read_to_end(&mut head).map(|_| bytes)
            });
            match fault(&head) {
                None => return Icon::Sound(bytes.unwrap_or_default()),
                Some(why) => why,
            }
        }
        None if due && folders().any(|folder| folder.join(COVERS).is_dir()) => "the icon is missing".to_owned(),
        None => return Icon::Elsewhere,
    };
    Icon::Wrong(Box::new(finding(Problem::new(codes::ICON_IMAGE, &Pointer::root(), message), &name, Some(id))))
}

/// What keeps an image that begins like this from being an icon.
pub(super) fn fault(head: &[u8]) -> Option<String> {
    match size(head) {
        Some((SIDE, SIDE)) => None,
        Some((width, height)) => {
            Some(format!("the icon is {width} by {height} pixels, but should be {SIDE} by {SIDE}"))
        }
        None => Some("the icon is not a PNG image".to_owned()),
    }
}

/// Width and height of a PNG, whose first chunk gives them after eight bytes of signature and eight of its own head.
fn size(head: &[u8]) -> Option<(u32, u32)> {
    let chunk = head.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(4..)?.strip_prefix(b"IHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(chunk.get(at..at + 4)?.try_into().ok()?));
    number(0).zip(number(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
        [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &size, b"\x08\x06\0\0\0"].concat()
    }

    #[test]
    fn an_icon_is_a_png_of_its_size_if_it_is_there_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let told = |icon: &[u8]| {
            let folder = dir.path().join("artwork/agent-covers");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("a.png"), icon).unwrap();
            match check(&dir.path().join("catalog"), "a", false) {
                Icon::Wrong(problem) => Some(problem.message),
                Icon::Sound(bytes) if bytes == icon.len() as u64 => None,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(told(&png(512, 512)), None);
        assert!(told(&png(512, 256)).unwrap().contains("512 by 256"));
        for wrong in [&b""[..], b"\x89PNG\r\n\x1a\n", b"GIF89a", &png(512, 512)[..20]] {
            assert_eq!(told(wrong).as_deref(), Some("the icon is not a PNG image"));
        }
        assert!(matches!(check(dir.path(), "b", false), Icon::Elsewhere));
        assert!(matches!(check(dir.path(), "b", true), Icon::Wrong(problem) if problem.message.contains("missing")));
        assert!(matches!(check(&dir.path().join("artwork/agent-covers"), "b", true), Icon::Elsewhere));
    }
}
