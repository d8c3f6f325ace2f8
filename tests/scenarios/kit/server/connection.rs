use super::body::PacedBody;
use super::reply::{Length, Reply};
use super::{Order, Request, Shared};
use hyper::service::service_fn;
use hyper::{Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

/// Accepts connections until the server is dropped.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    tls: Option<Arc<ServerConfig>>,
    shared: Arc<Shared>,
    mut inbox: mpsc::UnboundedReceiver<Order>,
) {
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut listener = Some(TcpListener::from_std(listener).unwrap());
    let mut held = None;
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            order = inbox.recv() => match order {
                None => return,
                Some(Order::GoDark(done)) => {
                    listener = None;
                    connections.shutdown().await;
                    if held.is_none() {
                        held = Some(hold(address).await);
                    }
                    let _ = done.send(());
                }
                Some(Order::ComeBack(done)) => {
                    if let Some(port) = held.take() {
                        listener = Some(port.listen(1024).unwrap());
                    }
                    let _ = done.send(());
                }
            },
            stream = accept(listener.as_ref()) => {
                let mut state = shared.state();
                state.connections += 1;
                if state.resets > 0 {
                    state.resets -= 1;
                    // Dropped so, the socket answers with a reset instead of a goodbye.
                    let _ = stream.set_zero_linger();
                } else {
                    connections.spawn(speak(stream, tls.clone(), shared.clone()));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    match listener {
        None => std::future::pending().await,
        Some(listener) => loop {
            if let Ok((stream, _)) = listener.accept().await {
                return stream;
            }
        },
    }
}

/// Keeps the port while nobody answers at it: another server of the tests that got it would answer in this one's place.
/// The system may need a moment to give it back.
async fn hold(address: SocketAddr) -> TcpSocket {
    for _ in 0..100 {
        let port = TcpSocket::new_v4().unwrap();
        port.set_reuseaddr(true).unwrap();
        if port.bind(address).is_ok() {
            return port;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("port {} is taken", address.port());
}

/// One connection, from the handshake to its end. A failed handshake is the client's to report.
async fn speak(stream: TcpStream, tls: Option<Arc<ServerConfig>>, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    match tls {
        None => answer_all(stream, shared).await,
        Some(config) => {
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                answer_all(stream, shared).await;
            }
        }
    }
}

async fn answer_all(stream: impl AsyncRead + AsyncWrite + Unpin + 'static, shared: Arc<Shared>) {
    let cut = Arc::new(Notify::new());
    let answered = std::sync::atomic::AtomicUsize::new(0);
    let service = service_fn({
        let cut = cut.clone();
        move |request| {
            let before = answered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let closes = before > 0 && shared.state().one_request_each;
            let (shared, cut) = (shared.clone(), cut.clone());
            async move {
                if closes {
                    cut.notify_one();
                    std::future::pending::<()>().await;
                }
                answer(request, shared, cut).await
            }
        }
    });
    let builder = auto::Builder::new(TokioExecutor::new());
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = connection => {}
        () = cut.notified() => {}
    }
}

/// Counts a request as under way until it is dropped, with the last byte of its answer.
struct InFlight(Arc<Shared>);

impl InFlight {
    fn enter(shared: Arc<Shared>) -> Self {
        let mut state = shared.state();
        state.in_flight += 1;
        state.most_in_flight = state.most_in_flight.max(state.in_flight);
        drop(state);
        InFlight(shared)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.state().in_flight -= 1;
    }
}

async fn answer(
    request: hyper::Request<hyper::body::Incoming>,
    shared: Arc<Shared>,
    cut: Arc<Notify>,
) -> Result<Response<PacedBody<InFlight>>, Infallible> {
    let guard = InFlight::enter(shared.clone());
    let request = record(&request);
    let reply = {
        let mut state = shared.state();
        state.requests.push(request.clone());
        match state.routes.get_mut(&request.path) {
            Some(replies) if replies.len() > 1 => replies.pop_front(),
            Some(replies) => replies.front().cloned(),
            None => None,
        }
    };
    while shared.state().held_back.contains(&request.path) {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let reply = unless_unchanged(reply.unwrap_or_else(|| Reply::status(404)), &request);
    let reply = the_part_asked_for(reply, &request);
    tokio::time::sleep(reply.delay).await;
    if reply.hang_up {
        cut.notify_one();
        return std::future::pending().await;
    }
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    response = match reply.length {
        // RFC 9110: a 304 has no body, and its length would be the other answer's.
        Length::True if reply.status == 304 => response,
        Length::True => response.header("content-length", reply.body.len()),
        Length::Claimed(bytes) => response.header("content-length", bytes),
        Length::Missing => response,
    };
    Ok(response.body(PacedBody::of(&reply, cut, guard)).unwrap())
}

/// The part of the body that a range asks for.
fn the_part_asked_for(reply: Reply, request: &Request) -> Reply {
    let range = request.header("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let known_by = |known: &str| ["etag", "last-modified"].iter().any(|name| reply.header_value(name) == Some(known));
    let is_the_same = request.header("if-range").is_none_or(known_by);
    if let (Some(status), Some(_)) = (reply.to_ranges, request.header("range")) {
        return Reply::status(status);
    }
    match range {
        Some(from) if reply.in_parts && reply.status == 200 && is_the_same && from < reply.body.len() => {
            reply.rest(from)
        }
        _ => reply,
    }
}

fn record(request: &hyper::Request<hyper::body::Incoming>) -> Request {
    Request {
        method: request.method().to_string(),
        path: request.uri().path().to_owned(),
        query: request.uri().query().map(str::to_owned),
        headers: request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        http2: request.version() == Version::HTTP_2,
    }
}

/// A 304 when the request names the validator that still holds. An ETag decides alone where both are sent (RFC 9110).
fn unless_unchanged(reply: Reply, request: &Request) -> Reply {
    let same = |asked: &str, kept: &str| request.header(asked).map(|value| reply.header_value(kept) == Some(value));
    let unchanged =
        same("if-none-match", "etag").or_else(|| same("if-modified-since", "last-modified")).unwrap_or(false);
    if reply.status != 200 || !unchanged {
        return reply;
    }
    let mut validators = Reply { status: 304, ..Reply::ok("") }.after(reply.delay);
    for name in ["etag", "last-modified"] {
        if let Some(value) = reply.header_value(name) {
            validators = validators.header(name, value);
        }
    }
    validators
}
