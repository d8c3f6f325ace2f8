//! A small web server on this machine, with and without TLS, that answers as a test tells it to and remembers what
//! it was asked.

use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use http_body_util::{BodyExt, StreamBody, combinators::BoxBody};
use hyper::body::Frame;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    pub version: Version,
    pub headers: HeaderMap,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

/// What to answer.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Bytes,
    end: End,
}

/// How a body ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Whole,
    Cut,
    Never,
}

impl Reply {
    pub fn ok(body: impl Into<Bytes>) -> Self {
        Reply { status: 200, headers: Vec::new(), body: body.into(), end: End::Whole }
    }

    pub fn status(status: u16) -> Self {
        Reply { status, ..Reply::ok("") }
    }

    /// Some of a file, as an answer to a range.
    pub fn part(body: impl Into<Bytes>) -> Self {
        Reply { status: 206, ..Reply::ok(body) }
    }

    pub fn to(location: impl Into<String>) -> Self {
        Reply::status(302).header("location", location)
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The connection breaks after the body's bytes.
    pub fn cut(self) -> Self {
        Reply { end: End::Cut, ..self }
    }

    /// Nothing more comes after the body's bytes, and the connection stays.
    pub fn endless(self) -> Self {
        Reply { end: End::Never, ..self }
    }
}

type Handler = dyn Fn(&Asked, usize) -> Reply + Send + Sync;
type Body = BoxBody<Bytes, io::Error>;

/// Serves until the end of the test.
pub struct Server {
    pub port: u16,
    scheme: &'static str,
    asked: Arc<Mutex<Vec<Asked>>>,
    _runtime: tokio::runtime::Runtime,
}

impl Server {
    /// Over TLS, with a certificate for `names` of an authority whose own certificate is written to `ca`.
    /// The handler gets what is asked and how often that path has been asked before.
    pub fn https(ca: &Path, names: &[&str], handler: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        Server::start(Some(tls(ca, names)), Arc::new(handler))
    }

    /// Without TLS.
    pub fn http(handler: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        Server::start(None, Arc::new(handler))
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}://localhost:{}/{path}", self.scheme, self.port)
    }

    /// Everything asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn start(tls: Option<TlsAcceptor>, handler: Arc<Handler>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        runtime.spawn(async move {
            loop {
                let Ok((socket, _)) = listener.accept().await else { return };
                let (handler, log, tls) = (handler.clone(), log.clone(), tls.clone());
                tokio::spawn(async move {
                    let service = service_fn(move |request| answer(request, handler.clone(), log.clone()));
                    let server = Builder::new(TokioExecutor::new());
                    // What becomes of a connection is the client's to see.
                    match tls {
                        Some(tls) => {
                            let Ok(secure) = tls.accept(socket).await else { return };
                            let _ = server.serve_connection(TokioIo::new(secure), service).await;
                        }
                        None => {
                            let _ = server.serve_connection(TokioIo::new(socket), service).await;
                        }
                    }
                });
            }
        });
        Server { port, scheme, asked, _runtime: runtime }
    }
}

async fn answer(
    request: Request<hyper::body::Incoming>,
    handler: Arc<Handler>,
    log: Arc<Mutex<Vec<Asked>>>,
) -> Result<Response<Body>, Infallible> {
    let asked =
        Asked { path: request.uri().path().to_owned(), version: request.version(), headers: request.headers().clone() };
    let before = {
        let mut log = log.lock().unwrap();
        let before = log.iter().filter(|other| other.path == asked.path).count();
        log.push(asked.clone());
        before
    };
    let reply = handler(&asked, before);
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    let bytes = stream::iter([Ok(Frame::data(reply.body))]);
    let body = match reply.end {
        End::Whole => BodyExt::boxed(StreamBody::new(bytes)),
        End::Cut => {
            // Not at once: what was sent before would be lost with the stream.
            let cut = stream::once(async {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                Err(io::Error::other("cut"))
            });
            BodyExt::boxed(StreamBody::new(bytes.chain(Box::pin(cut))))
        }
        End::Never => BodyExt::boxed(StreamBody::new(bytes.chain(stream::pending()))),
    };
    Ok(response.body(body).unwrap())
}

fn tls(ca: &Path, names: &[&str]) -> TlsAcceptor {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    std::fs::write(ca, authority.self_signed(&authority_key).unwrap().pem()).unwrap();
    let issuer = Issuer::new(authority, authority_key);

    let key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}
