use super::finding;
use crate::disk::open_plain;
use crate::types::{Pointer, Problem, codes};
use std::io::Read;
use std::path::Path;

/// The width and height of an official icon.
const SIDE: u32 = 512;

/// What is wrong with an official package's icon, when it lies on this disk: in `artwork/` beside the catalog's root or one
/// folder up.
pub(super) fn check(root: &Path, id: &str) -> Option<Problem> {
    let name = format!("artwork/agent-covers/{id}.png");
    let folders = std::iter::once(root).chain(root.parent());
    let file = folders.map(|folder| folder.join(&name)).find(|path| path.is_file())?;
    let mut head = Vec::new();
    // Whatever keeps it from being read, it is no image then.
    let _ = open_plain(&file).and_then(|file| file.take(24).read_to_end(&mut head));
    let message = match size(&head) {
        Some((SIDE, SIDE)) => return None,
        Some((width, height)) => format!("the icon is {width} by {height} pixels, but should be {SIDE} by {SIDE}"),
        None => "the icon is no PNG image".to_owned(),
    };
    Some(finding(Problem::new(codes::ICON_IMAGE, &Pointer::root(), message), &name, Some(id)))
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
            check(&dir.path().join("catalog"), "a").map(|problem| problem.message)
        };
        assert_eq!(told(&png(512, 512)), None);
        assert!(told(&png(512, 256)).unwrap().contains("512 by 256"));
        for wrong in [&b""[..], b"\x89PNG\r\n\x1a\n", b"GIF89a", &png(512, 512)[..20]] {
            assert_eq!(told(wrong).as_deref(), Some("the icon is no PNG image"));
        }
        assert_eq!(check(dir.path(), "b"), None);
    }
}
