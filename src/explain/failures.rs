//! Why a command fails: the codes of `error.code`, which are also the `reason` of a language pack that could not be had.

use super::{Base, Edit, Example, Explanation, Level};

/// Where the exit numbers are fixed.
const SOURCE: &str = "docs/spec/commands.md#exit-codes";

/// What a whole catalog shows: there, each of these is a finding.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Catalog, wrong, right })
}

const fn value(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "catalog.json", at, to }
}

const fn file(file: &'static str, to: &'static str) -> Edit {
    Edit { file, at: "", to }
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "io",
        severity: Level::Failure,
        meaning: "The operating system would not read or write a file, or a link stands where a folder must be.",
        why: "Nothing is recorded that could not be written, so what is installed stays as it was.",
        mend: "Look at the path in the message: its permissions, whether the disk is mounted read-only, whether a file \
               or a link is in the way; or name other folders with --data-dir and --cache-dir.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "disk-full",
        severity: Level::Failure,
        meaning: "There is no room left for what had to be written, on the disk or within a quota.",
        why: "The change was given up as a whole, so what is installed stays as it was.",
        mend: "Free some space and run the same command again; `rulepack cache clean` gives back what downloads take.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "internal",
        severity: Level::Failure,
        meaning: "Rulepack came to a place that it holds to be impossible.",
        why: "It stops rather than to go on with what it does not understand.",
        mend: "Please report it, with the command and its whole output.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "interrupted",
        severity: Level::Failure,
        meaning: "The run was stopped, by Ctrl-C or by a signal.",
        why: "The disk is as it was; what had been downloaded in full is kept and need not be fetched again.",
        mend: "Run the command again when you like.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "usage",
        severity: Level::Failure,
        meaning: "The command line cannot be understood: an unknown command, flag or code, a missing argument, or a \
                  value that is none, such as a malformed language tag.",
        why: "Nothing was done, because it is not clear what was meant.",
        mend: "Follow the hint, or look at the examples of `rulepack help COMMAND`.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "not-in-catalog",
        severity: Level::Failure,
        meaning: "The catalog lists no ruleset of this id. `update` only warns of it.",
        why: "There is nothing to install; what is installed under the id stays.",
        mend: "`rulepack search` shows what there is; the hint names ids that are spelled alike.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "not-installed",
        severity: Level::Failure,
        meaning: "No ruleset of this id is installed.",
        why: "There is nothing to change or to show.",
        mend: "`rulepack list` shows what is installed; `rulepack install ID` installs.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "no-previous-version",
        severity: Level::Failure,
        meaning: "No version from before is kept, so there is none to go back to.",
        why: "One version is kept by each update; after a first installation there is none.",
        mend: "Nothing can be gone back to; an older version is never installed over a newer one.",
        source: SOURCE,
        example: None,
    },
    Explanation {
        code: "file-not-found",
        severity: Level::Failure,
        meaning: "A file that was named, or that the catalog lists, is not where it was looked for.",
        why: "Without it there is nothing to read.",
        mend: "Check the path. Files of a catalog on disk are looked for by the last part of their address in \
               `artifacts/`, beside the catalog or one folder up; --mirror names another folder or address.",
        source: SOURCE,
        example: example(&[file("artifacts/saltmarsh-post-0.4.0.ja.json", "")], &[]),
    },
    Explanation {
        code: "size-mismatch",
        severity: Level::Failure,
        meaning: "A file has more or fewer bytes than the catalog or the manifest says.",
        why: "It is not the file that was published: cut off, an error page of a server, or changed after its size was \
              taken. No byte of it is used.",
        mend: "Readers: try again later or from another place, with --mirror. Publishers: put the size and SHA-256 of \
               the published bytes into the catalog; `rulepack catalog entry` computes them.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: example(
            &[value("/packages/2/artifact/bytes", "7000")],
            &[value("/packages/2/artifact/bytes", "7468")],
        ),
    },
    Explanation {
        code: "checksum-mismatch",
        severity: Level::Failure,
        meaning: "A file has the size that is listed, but not the SHA-256.",
        why: "It is not the file that was published: republished under the same name, changed on the way, or with other \
              line ends after a checkout. No byte of it is used.",
        mend: "Readers: try again later, with --refresh. Publishers: compute the SHA-256 over the published bytes, and \
               keep git from changing line ends (`* -text` in .gitattributes).",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: example(
            &[value(
                "/packages/2/artifact/sha256",
                r#""0000000000000000000000000000000000000000000000000000000000000000""#,
            )],
            &[value(
                "/packages/2/artifact/sha256",
                r#""04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492""#,
            )],
        ),
    },
    Explanation {
        code: "locale-mismatch",
        severity: Level::Failure,
        meaning: "A language pack says in `_meta.locale` that it is for another language than the one it is listed for.",
        why: "Its reader would see a language that nobody asked for; the ruleset stays in English instead.",
        mend: "List the pack under the language that `_meta.locale` names, or correct `_meta.locale`.",
        source: "docs/spec/catalog.md#language-packs; docs/spec/checks.md#t03",
        example: None,
    },
    Explanation {
        code: "invalid-catalog",
        severity: Level::Failure,
        meaning: "What was read as the catalog is none: not JSON, of a newer schemaVersion, or larger than 32 MiB.",
        why: "Nothing can be looked up in it.",
        mend: "Check that --catalog or MARINARA_AGENT_CATALOG_URL leads to a `catalog.json` itself and not to a web \
               page about it; `rulepack catalog verify` says what is wrong with one of your own.",
        source: "docs/spec/catalog.md#catalog",
        example: example(&[file("catalog.json", r#"{ "schemaVersion": 1, "packages": [ "#)], &[]),
    },
    Explanation {
        code: "invalid-entry",
        severity: Level::Failure,
        meaning: "The catalog's entry of this ruleset breaks a rule that every entry must meet; each reason has a code \
                  of its own. When all are listed, it is left out with a warning.",
        why: "An entry that is wrong in one thing may be wrong in what it would install.",
        mend: "Readers can only wait for its publisher. Publishers: `rulepack catalog verify` lists every reason with \
               its place.",
        source: "docs/spec/commands.md#the-catalog",
        example: None,
    },
    Explanation {
        code: "invalid-artifact",
        severity: Level::Failure,
        meaning: "An artifact is what the catalog lists, byte by byte, and yet no package: neither a zip, nor a bundle, \
                  nor a bare ruleset, or with files that its manifest does not declare.",
        why: "What is in it cannot be trusted to be what its manifest says. Nothing of it is unpacked.",
        mend: "Publishers: build it with `rulepack catalog build` and check it with `rulepack check FILE`.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/catalog.md#archives",
        example: example(
            &[file("artifacts/saltmarsh-post-0.4.0.ruleset.json", "Saltmarsh Post, see the other file")],
            &[],
        ),
    },
    Explanation {
        code: "invalid-pack",
        severity: Level::Failure,
        meaning: "A language pack is what the catalog lists, byte by byte, and yet has not the shape of one.",
        why: "It is not kept, and the ruleset is read in English.",
        mend: "Publishers: `rulepack check PACK` says what is wrong with it.",
        source: "docs/spec/checks.md#t02; docs/spec/checks.md#t05; docs/spec/checks.md#t07",
        example: None,
    },
    Explanation {
        code: "unsafe-path",
        severity: Level::Failure,
        meaning: "The name of a file leads out of its package or does not mean the same file on every system: `..`, a \
                  leading `/`, `\\`, `:`, a name Windows reserves, a dot or space at the end. Or it is a link, in an archive or in a package \
                  folder. A check tells it as an error.",
        why: "Unpacked, it could write over files of yours; a link, followed, could show or publish one. So the whole \
              package is refused, not the one file.",
        mend: "Use relative paths of plain names, such as `catalogs/wares.json`, and put the file itself in the place of a \
               link. A link that you name yourself is followed.",
        source: "docs/spec/catalog.md#archives; docs/spec/commands.md#the-store",
        example: example(
            &[value("/packages/2/manifest/files/0/path", r#""../ruleset.json""#)],
            &[value("/packages/2/manifest/files/0/path", r#""ruleset.json""#)],
        ),
    },
    Explanation {
        code: "not-a-ruleset",
        severity: Level::Failure,
        meaning: "The id is that of a package of another kind. `update` only warns of it, when the id used to be a \
                  ruleset's.",
        why: "Packages of other kinds carry code, which rulepack never installs.",
        mend: "Install it in the engine.",
        source: "docs/spec/commands.md#the-catalog",
        example: None,
    },
    Explanation {
        code: "invalid-ruleset",
        severity: Level::Failure,
        meaning: "The package is sound and the `ruleset.json` in it unusable: it does not parse, says not what it is \
                  called, or uses what its declared Capability API does not know.",
        why: "The engine would not load it.",
        mend: "Publishers: `rulepack check` lists everything that is wrong with it.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/checks.md#capability-api-gates",
        example: None,
    },
    Explanation {
        code: "invalid-sheet",
        severity: Level::Failure,
        meaning: "A stored sheet was left alone: it cannot be read, was stored by a newer layout than the ruleset's, or \
                  names another ruleset as its own.",
        why: "A sheet brought to a layout that is not its own would lose what it holds.",
        mend: "Look at `v`, `build` and `ruleset` of the sheet; a newer sheet needs the newer version of the ruleset. The \
               other sheets of the same call were migrated.",
        source: "docs/spec/commands.md#exit-codes; docs/spec/checks.md#migrations",
        example: None,
    },
    Explanation {
        code: "offline",
        severity: Level::Failure,
        meaning: "Something is needed that is not in the cache, and the run uses no network. As the reason of a \
                  missing language pack it also stands for a server that cannot be reached.",
        why: "It cannot be had without a network.",
        mend: "Run it again without --offline, or name a folder that holds the files with --mirror.",
        source: "docs/spec/commands.md#json; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "deadline",
        severity: Level::Failure,
        meaning: "The run had to end, by --deadline or because a page was waiting, before this was done: a server was \
                  slow or silent, or another rulepack was changing the same data.",
        why: "Whoever waits for the answer gets it in time, with everything that was complete by then; what had been \
              downloaded of the rest is kept and continued by the next run.",
        mend: "Run it again, or give it more time with --deadline SECS; `--deadline 0` waits as long as it takes.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#json; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "http-error",
        severity: Level::Failure,
        meaning: "A server answered, but not with the file: an error status, a redirect that leaves https or never \
                  ends, or a content encoding nobody asked for.",
        why: "There are no bytes to check.",
        mend: "404: the catalog lists what is not published, or no longer; try --refresh. 403 and 429: too many \
               requests; wait. 5xx: try again later.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "network",
        severity: Level::Failure,
        meaning: "A server could not be reached, or the connection broke and went on breaking: no such name, refused, \
                  timed out, a certificate that is not trusted.",
        why: "There are no bytes to check. Transient faults have been tried again three times by then.",
        mend: "Check the connection and HTTPS_PROXY; for a certificate of your own, name its authority with --ca-cert.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "incompatible-engine",
        severity: Level::Failure,
        meaning: "The ruleset is for other versions of the engine than the one given with --engine-version.",
        why: "The engine would refuse it or misread it.",
        mend: "Update the engine, or wait for a version of the ruleset that is for yours.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "incompatible-api",
        severity: Level::Failure,
        meaning: "The ruleset declares a newer Capability API than the engine has, or, where that is not known, than \
                  this rulepack knows.",
        why: "It may use what the engine does not understand.",
        mend: "Update the engine or rulepack, or name the engine's API with --capability-api.",
        source: "docs/spec/commands.md#the-catalog; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "downgrade",
        severity: Level::Failure,
        meaning: "The catalog's version is older than the one installed. `update` only warns of it.",
        why: "Games may hold what only the newer version understands, so an older one is never put over it.",
        mend: "Leave it as it is; `rulepack rollback ID` goes back to the version kept from before.",
        source: "docs/spec/commands.md#exit-codes; docs/spec/catalog.md#updates-and-rollback",
        example: None,
    },
    Explanation {
        code: "locked",
        severity: Level::Failure,
        meaning: "Another rulepack was changing the same data all the time this one waited, 30 seconds unless \
                  --lock-timeout says otherwise; or the engine changed the very ruleset at the same moment, and what it \
                  did stands.",
        why: "Two at once would undo each other's work. Readers never wait.",
        mend: "Wait for the process named in the message, or raise --lock-timeout; where it was the engine, run the \
               command again. The lock goes with its process, so \
               there is no lock file to remove.",
        source: "docs/spec/commands.md#the-store; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "damaged-store",
        severity: Level::Failure,
        meaning: "A record of what is installed cannot be used: the registry cannot be read, or is gone while versions are \
                  there; a record is a link or larger than 64 MiB; a newer rulepack wrote rulepack.json or left a change \
                  unfinished; or an interrupted change can be neither finished nor taken back.",
        why: "An unreadable registry is never taken for an empty one, or the next change would lose what it lists. What a \
              newer rulepack wrote is never replaced by an older one.",
        mend: "The message says which file, and what to do: `rulepack doctor --repair` sets a damaged registry aside and \
               rebuilds it from the version folders; of a newer rulepack's, update rulepack.",
        source: "docs/spec/commands.md#the-store; docs/spec/commands.md#exit-codes",
        example: None,
    },
    Explanation {
        code: "damaged-package",
        severity: Level::Failure,
        meaning: "An installed version is not as it was installed: files are missing or no longer fit their hashes. \
                  Commands that can go on warn of it.",
        why: "The engine refuses files that do not fit, and a rollback to them would be one to something else.",
        mend: "`rulepack doctor` names the files; `rulepack doctor --repair` mends them from the catalog, the cache or \
               the version before.",
        source: "docs/spec/commands.md#exit-codes",
        example: None,
    },
];
