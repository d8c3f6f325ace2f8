//! Plans, tested as what they are: functions of what was looked at. A line a situation: the command, what there is, and
//! what is planned.

use super::hold::plan_hold;
use super::install::{Seen, plan_install};
use super::look::{Terms, There};
use super::pack::{Kept, PackPlan};
use super::plan::PackagePlan;
use super::rollback::{Before, nothing_before, plan_rollback};
use super::shelf;
use super::standing::stand;
use super::stay::plan_settled;
use super::sync::plan_sync;
use super::uninstall::plan_uninstall;
use super::update::plan_update;
use super::wanted::Wanted;
use crate::catalog::{Entry, PackOffer, Reading, read_entry};
use crate::store::{Flaw, Installed, KeptPack, Offered, PackageState, Previous, Receipt, Settled, Snapshot};
use crate::types::{Code, Expected, Failure, Language, Version, Warning};
use std::rc::Rc;

/// `offered` is the version the catalog has, in ru besides English; `said` what it says instead. `installed` and
/// `previous` are in the registry. `pack` lies beside the installed version, whole unless `edited`, and the one offered
/// unless `old`; `cache` has the pack offered for it. `sum` and `asked` are what an installation must be.
const SITUATIONS: &str = "
install   offered=1.0.0                                             | installed 1.0.0 not-needed
install   offered=1.0.0 language=ru                                 | installed 1.0.0 fetch ru
install   offered=1.0.0 language=fr                                 | installed 1.0.0 not-listed
install   offered=1.0.0 engine=9.0.0                                | incompatible-engine
install   offered=1.0.0 asked=2.0.0                                 | not-in-catalog
install   offered=1.0.0 record=other                                | not-a-ruleset
install   offered=1.0.0 record=unreadable                           | damaged-store
install   offered=1.0.0 installed=1.0.0 intact                      | unchanged 1.0.0 not-needed
install   offered=1.0.0 installed=1.0.0 intact language=ru pack=ru  | unchanged 1.0.0 keep ru
install   offered=1.0.0 installed=1.0.0 intact force                | reinstalled 1.0.0 not-needed
install   offered=1.0.0 installed=1.0.0                             | reinstalled 1.0.0 not-needed
install   offered=1.0.0 installed=1.0.0 pack=ru                     | reinstalled 1.0.0 not-needed drop ru
install   offered=1.0.0 installed=1.0.0 intact republished          | unchanged 1.0.0 not-needed ! republished
install   offered=1.0.0 installed=1.0.0 intact republished sum      | reinstalled 1.0.0 not-needed
install   offered=1.0.0 installed=1.0.0 intact sum                  | unchanged 1.0.0 not-needed
install   offered=1.0.0 installed=2.0.0 intact                      | downgrade
install   offered=1.0.0 installed=2.0.0 force                       | downgrade
install   offered=2.0.0 installed=1.0.0 language=ru pack=ru         | updated 2.0.0 over 1.0.0 fetch ru
install   offered=2.0.0 installed=1.0.0 held                        | updated 2.0.0 over 1.0.0 not-needed
update    offered=2.0.0 installed=1.0.0                             | updated 2.0.0 over 1.0.0 not-needed
update    offered=1.0.0 installed=1.0.0 previous=0.9.0              | unchanged 1.0.0 over 0.9.0 not-needed
update    offered=1.0.0 installed=1.0.0 previous=0.9.0 republished  | reinstalled 1.0.0 over 0.9.0 not-needed
update    offered=2.0.0 installed=1.0.0 held language=ru pack=ru    | held 1.0.0 keep ru ! held
update    offered=2.0.0 installed=1.0.0 held named                  | held 1.0.0 not-needed ! held
update    offered=2.0.0 installed=1.0.0 declined=2.0.0              | held 1.0.0 not-needed ! declined
update    offered=2.0.0 installed=1.0.0 declined=2.0.0 named        | updated 2.0.0 over 1.0.0 not-needed
update    offered=2.0.0 installed=1.0.0 declined=1.5.0              | updated 2.0.0 over 1.0.0 not-needed
update    offered=2.0.0 installed=1.0.0 engine=9.0.0                | unchanged 1.0.0 not-needed ! incompatible-engine
update    offered=2.0.0 installed=1.0.0 engine=9.0.0 named          | incompatible-engine
update    offered=1.0.0 installed=2.0.0                             | unchanged 2.0.0 not-needed ! downgrade
update    said=missing installed=1.0.0 language=ru pack=ru          | unchanged 1.0.0 keep ru ! not-in-catalog
update    said=other installed=1.0.0                                | unchanged 1.0.0 not-needed ! not-a-ruleset
update    said=unusable installed=1.0.0                             | unchanged 1.0.0 not-needed ! invalid-entry
update    said=unusable installed=1.0.0 named                       | invalid-entry
update    offered=1.0.0 installed=1.0.0 no-folder                   | unchanged 1.0.0 nothing ! damaged-package
sync      offered=1.0.0 installed=1.0.0                             | unchanged 1.0.0 not-needed
sync      offered=1.0.0 installed=1.0.0 pack=ru                     | unchanged 1.0.0 not-needed drop ru
sync      offered=1.0.0 installed=1.0.0 language=ru                 | unchanged 1.0.0 fetch ru
sync      offered=1.0.0 installed=1.0.0 language=ru-RU pack=ru      | unchanged 1.0.0 keep ru
sync      offered=1.0.0 installed=1.0.0 language=ru pack=ru edited  | unchanged 1.0.0 fetch ru drop ru
sync      offered=1.0.0 installed=1.0.0 language=ru pack=ru old     | unchanged 1.0.0 fetch ru drop ru
sync      offered=1.0.0 installed=1.0.0 language=de pack=ru         | unchanged 1.0.0 not-listed drop ru
sync      offered=1.0.0 installed=1.0.0 language=ru pack=de         | unchanged 1.0.0 fetch ru drop de
sync      offered=2.0.0 installed=1.0.0 language=ru                 | unchanged 1.0.0 unavailable OtherVersion
sync      offered=2.0.0 installed=1.0.0 language=ru cache=ru        | unchanged 1.0.0 fetch ru from the cache
sync      offered=2.0.0 installed=1.0.0 language=ru pack=ru old     | unchanged 1.0.0 keep ru
sync      offered=2.0.0 installed=1.0.0 language=ru pack=de         | unchanged 1.0.0 unavailable OtherVersion drop de
sync      offered=2.0.0 installed=1.0.0 language=ru pack=ru edited  | unchanged 1.0.0 unavailable OtherVersion
sync      said=offline installed=1.0.0 language=ru                  | unchanged 1.0.0 unavailable Offline
sync      said=offline installed=1.0.0 language=ru pack=ru          | unchanged 1.0.0 keep ru
sync      said=offline installed=1.0.0 language=ru cache=ru pack=de | unchanged 1.0.0 fetch ru from the cache drop de
sync      said=missing installed=1.0.0 language=ru                  | unchanged 1.0.0 not-listed
sync      said=unusable installed=1.0.0 language=ru                 | unchanged 1.0.0 not-listed ! invalid-entry
sync      offered=1.0.0 installed=1.0.0 language=ru no-folder       | unchanged 1.0.0 nothing ! damaged-package
settled   installed=1.0.0 language=ru pack=ru settled=ru            | unchanged 1.0.0 keep ru
settled   installed=1.0.0 language=fr settled=fr                    | unchanged 1.0.0 not-listed
settled   installed=1.0.0 language=fr pack=ru settled=ru            | looked at again
settled   installed=1.0.0 language=ru pack=ru settled=ru edited     | looked at again
settled   installed=1.0.0 language=fr settled=fr no-folder          | looked at again
settled   installed=1.0.0 language=ru pack=ru settled=ru changed    | looked at again
settled   installed=1.0.0 language=ru pack=ru                       | looked at again
rollback  installed=2.0.0 previous=1.0.0                            | rolled-back 1.0.0 over 2.0.0 not-needed
rollback  installed=2.0.0 previous=1.0.0 held                       | rolled-back 1.0.0 over 2.0.0 not-needed
rollback  installed=2.0.0                                           | no-previous-version
rollback  installed=2.0.0 previous=1.0.0 broken                     | damaged-package
rollback  installed=2.0.0 previous=1.0.0 engine=9.0.0               | incompatible-engine
rollback  offered=1.0.0 installed=2.0.0 previous=1.0.0 language=ru  | rolled-back 1.0.0 over 2.0.0 fetch ru
rollback  offered=2.0.0 installed=2.0.0 previous=1.0.0 language=ru  | rolled-back 1.0.0 over 2.0.0 unavailable OtherVersion
rollback  offered=2.0.0 installed=2.0.0 previous=1.0.0 language=ru cache=ru | rolled-back 1.0.0 over 2.0.0 fetch ru from the cache
rollback  said=offline installed=2.0.0 previous=1.0.0 language=ru   | rolled-back 1.0.0 over 2.0.0 unavailable Offline
uninstall installed=2.0.0 previous=1.0.0                            | removed 2.0.0 over 1.0.0 nothing
uninstall installed=2.0.0 link                                      | io
hold      installed=1.0.0                                           | held
hold      installed=1.0.0 held                                      | as it was
hold                                                                | not-installed
";

#[test]
fn every_situation_has_its_plan() {
    let mut wrong = Vec::new();
    for line in SITUATIONS.trim().lines() {
        let (situation, planned) = line.split_once('|').unwrap();
        let found = Situation(situation.split_whitespace().collect()).planned();
        if found != planned.trim() {
            wrong.push(format!("{}\n    | {found}", line.trim()));
        }
    }
    assert!(wrong.is_empty(), "{} situations have another plan:\n{}", wrong.len(), wrong.join("\n"));
}

struct Situation(Vec<&'static str>);

/// The catalog's entry of a version.
fn entry(version: &str) -> Rc<Entry> {
    let text = include_str!("../../testdata/hostile/base/entry.json");
    match read_entry(&text.replace("hostile", "demo").replace("1.0.0", version)) {
        Reading::Ruleset(entry) => Rc::from(entry),
        other => panic!("{other:?}"),
    }
}

/// The pack that is offered, as it is in a language.
fn pack(language: &str) -> KeptPack {
    KeptPack { language: language.parse().unwrap(), file: entry("1.0.0").packs[0].file.expected }
}

impl Situation {
    fn has(&self, word: &str) -> bool {
        self.0.contains(&word)
    }

    fn get(&self, key: &str) -> Option<&'static str> {
        self.0.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn installed(&self) -> Option<Installed> {
        let manifest = |version: &str| entry(version).manifest.raw.clone();
        let version = self.get("installed")?;
        let previous = self
            .get("previous")
            .map(|version| Previous { version: version.parse().unwrap(), manifest: Some(manifest(version)) });
        Some(Installed {
            id: "demo".parse().unwrap(),
            version: version.parse().unwrap(),
            manifest: manifest(version),
            previous,
            installed_at: "2026-12-01T00:00:00.000Z".to_owned(),
            legacy: false,
            fault: None,
        })
    }

    fn snapshot(&self) -> Snapshot {
        let (mut snapshot, id) = (Snapshot::default(), "demo".parse().unwrap());
        let record = match self.get("record") {
            Some("other") => Some(r#"{"id":"demo","manifest":{"kind":["agent"]}}"#),
            Some(_) => Some(r#"{"id":"demo"}"#),
            None => None,
        };
        let record = record.map(|record| serde_json::from_str(record).unwrap());
        snapshot.registry.put(&id, self.installed().map(|installed| installed.to_record()).or(record));
        if let Some(version) = self.get("declined") {
            snapshot.decisions.set(&id, Some(version), "2026-12-01T00:00:00.000Z");
        }
        let artifact = entry(self.get("installed").unwrap_or("1.0.0")).artifact.expected;
        let offered = Offered {
            language: "ru".parse().unwrap(),
            url: entry("1.0.0").packs[0].file.url.clone(),
            file: pack("ru").file,
            name: None,
        };
        let receipt = Receipt {
            artifact: Some(if self.has("republished") { Expected::of(b"another") } else { artifact }),
            pack: self.get("pack").map(pack),
            settled: self.get("settled").map(|language| Settled {
                entry: if self.has("changed") { "another" } else { "entry" }.to_owned(),
                language: language.parse().unwrap(),
            }),
            offered: vec![offered],
            ..Receipt::default()
        };
        let versions = [(self.get("installed").unwrap_or("1.0.0").to_owned(), receipt)].into();
        let state = PackageState { held: self.has("held"), versions, ..PackageState::default() };
        snapshot.state.packages.insert(id, state.into());
        snapshot
    }

    fn said(&self) -> Result<shelf::CatalogAnswer, Failure> {
        match self.get("said") {
            Some("offline") => Err(Failure::new(Code::Offline, "offline")),
            Some("other") => Ok(shelf::CatalogAnswer::OtherKind(vec!["agent".to_owned()])),
            Some("unusable") => Ok(shelf::CatalogAnswer::Unusable(Vec::new())),
            _ => Ok(self
                .get("offered")
                .map_or(shelf::CatalogAnswer::Missing, |version| shelf::CatalogAnswer::Ruleset(entry(version)))),
        }
    }

    fn at_hand(&self) -> Vec<PackOffer> {
        self.get("cache").map(|_| entry("1.0.0").packs[0].clone()).into_iter().collect()
    }

    fn there(&self) -> There {
        let file = if self.has("old") { Expected::of(b"old") } else { pack("ru").file };
        let kept = self
            .get("pack")
            .map(|language| Kept { pack: KeptPack { file, ..pack(language) }, whole: !self.has("edited") });
        There { folder: !self.has("no-folder"), pack: kept, at_hand: self.at_hand(), left: Vec::new() }
    }

    fn planned(&self) -> String {
        let mut warnings = Vec::new();
        let planned = match self.0[0] {
            "hold" => return self.held(),
            _ => self.plan(&mut warnings),
        };
        match planned {
            Ok(Some(plan)) => told(&plan, &warnings),
            Ok(None) => "looked at again".to_owned(),
            Err(failure) => failure.code.to_string(),
        }
    }

    fn plan(&self, warnings: &mut Vec<Warning>) -> Result<Option<PackagePlan>, Failure> {
        let snapshot = self.snapshot();
        let language: Language = self.get("language").unwrap_or("en").parse().unwrap();
        let engine: Option<Version> = self.get("engine").map(|engine| engine.parse().unwrap());
        let terms = Terms { snapshot: &snapshot, language: &language, engine: engine.as_ref(), api: None };
        let (there, installed) = (self.there(), || self.installed().unwrap());
        let plan = match self.0[0] {
            "install" => {
                let entry = entry(self.get("offered").unwrap());
                let wanted = Wanted {
                    id: "demo".to_owned(),
                    version: self.get("asked").map(|version| version.parse().unwrap()),
                    sha256: self.has("sum").then_some(entry.artifact.expected.sha256),
                };
                let seen = Seen { entry, is_intact: self.has("intact"), there };
                plan_install(&wanted, self.has("force"), seen, terms, warnings)?
            }
            "update" => {
                let named = self.has("named");
                let standing = stand(&installed(), named, self.said()?, terms, warnings);
                plan_update(&installed(), named, standing, there, &language, warnings)?
            }
            "sync" => plan_sync(&installed(), &self.said(), there, &language, warnings),
            "settled" => return Ok(plan_settled(&installed(), Some("entry"), &there, terms)),
            "rollback" => {
                let installed = installed();
                let previous = installed.previous.clone().ok_or_else(|| nothing_before(&installed))?;
                let manifest = entry(previous.version.as_str()).manifest.clone();
                let flaws =
                    if self.has("broken") { vec![Flaw::Missing("ruleset.json".to_owned())] } else { Vec::new() };
                let before = Before { manifest, flaws, said: self.said(), at_hand: self.at_hand() };
                plan_rollback(installed, previous, before, terms)?
            }
            "uninstall" => match self.has("link") {
                true => return plan_uninstall(installed(), Err(Failure::new(Code::Io, "a link"))).into_failure(),
                false => plan_uninstall(installed(), Ok(())),
            },
            other => panic!("no command is called {other}"),
        };
        Ok(Some(plan))
    }

    fn held(&self) -> String {
        let (holds, failures, transaction) = plan_hold(&["demo".to_owned()], true, &self.snapshot());
        match (failures.first(), transaction.is_empty()) {
            (Some(failure), _) => failure.code.to_string(),
            (None, is_empty) => {
                assert!(holds.packages[0].held);
                if is_empty { "as it was" } else { "held" }.to_owned()
            }
        }
    }
}

impl PackagePlan {
    fn into_failure(self) -> Result<Option<PackagePlan>, Failure> {
        match self.step {
            super::plan::VersionStep::Fail(failure) => Err(failure),
            step => Ok(Some(PackagePlan { step, ..self })),
        }
    }
}

fn told(plan: &PackagePlan, warnings: &[Warning]) -> String {
    let action = serde_json::to_value(plan.action).unwrap();
    let mut words = vec![action.as_str().unwrap().to_owned()];
    words.extend(plan.version.as_ref().map(ToString::to_string));
    words.extend(plan.previous.as_ref().map(|previous| format!("over {previous}")));
    words.push(match &plan.pack {
        PackPlan::Nothing => "nothing".to_owned(),
        PackPlan::NotNeeded { .. } => "not-needed".to_owned(),
        PackPlan::NotListed { .. } => "not-listed".to_owned(),
        PackPlan::Keep(kept) => format!("keep {}", kept.language),
        PackPlan::Fetch { offer, from: super::pack::Supply::Catalog, .. } => format!("fetch {}", offer.language),
        PackPlan::Fetch { offer, .. } => format!("fetch {} from the cache", offer.language),
        PackPlan::Unavailable { reason, .. } => format!("unavailable {reason:?}"),
    });
    words.extend(plan.pack.dropped().map(|drop| format!("drop {}", drop.language)));
    words.extend(warnings.iter().map(|warning| format!("! {}", warning.code)));
    words.join(" ")
}
