pub fn pretty(text: &str) -> Result<String, serde_json::Error> {
    let mut out = Vec::new();
    let mut de = serde_json::Deserializer::from_str(text);
    let mut ser = serde_json::Serializer::pretty(&mut out);
    serde_transcode::transcode(&mut de, &mut ser)?;
    Ok(String::from_utf8(out).unwrap())
}
