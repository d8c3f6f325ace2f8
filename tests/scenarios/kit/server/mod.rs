//! A real https server on the loopback address, serving a map of replies that a test may change at any time.
//!
//! ```ignore
//! let server = Server::https();
//! server.put("/catalog.json", Reply::ok(bytes).etag("\"1\""));
//! server.put_sequence("/a.json", [Reply::status(503), Reply::ok("fine")]);
//! server.go_dark();
//! assert_eq!(server.requests_of("/catalog.json").len(), 1);
//! ```

mod body;
mod certificates;
mod connection;
mod reply;

pub use certificates::{Authority, Certificate};
pub use reply::Reply;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::rustls::ServerConfig;

/// The server. It stops when dropped.
pub struct Server {
    address: SocketAddr,
    scheme: &'static str,
    shared: Arc<Shared>,
    orders: Option<mpsc::UnboundedSender<Order>>,
    thread: Option<JoinHandle<()>>,
}

/// One request as it came in.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub query: Option<String>,
    /// Names in lower case; of a name sent twice the last value.
    pub headers: BTreeMap<String, String>,
    /// Whether it came over HTTP/2.
    pub http2: bool,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(&name.to_ascii_lowercase()).map(String::as_str)
    }
}

/// What the test and the connections both see.
#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    routes: HashMap<String, VecDeque<Reply>>,
    requests: Vec<Request>,
    connections: usize,
    in_flight: usize,
    most_in_flight: usize,
    resets: usize,
    held_back: HashSet<String>,
    one_request_each: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[derive(Debug)]
enum Order {
    GoDark(oneshot::Sender<()>),
    ComeBack(oneshot::Sender<()>),
}

impl Server {
    /// https with a good certificate; HTTP/2 or HTTP/1.1, as the client likes.
    pub fn https() -> Self {
        Server::with(Some((Certificate::Good, &["h2", "http/1.1"])))
    }

    /// https that speaks HTTP/1.1 only.
    pub fn http1() -> Self {
        Server::with(Some((Certificate::Good, &["http/1.1"])))
    }

    /// https with a certificate that is expired or another host's.
    pub fn with_certificate(certificate: Certificate) -> Self {
        Server::with(Some((certificate, &["h2", "http/1.1"])))
    }

    /// Plain http, on the loopback address.
    pub fn plain() -> Self {
        Server::with(None)
    }

    fn with(tls: Option<(Certificate, &[&str])>) -> Self {
        let tls = tls.map(|(certificate, protocols)| Authority::of_the_tests().configure(certificate, protocols));
        let scheme = if tls.is_some() { "https" } else { "http" };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (orders, inbox) = mpsc::unbounded_channel();
        let thread = std::thread::spawn({
            let shared = shared.clone();
            move || run(listener, tls, shared, inbox)
        });
        Server { address, scheme, shared, orders: Some(orders), thread: Some(thread) }
    }

    /// The address of a path: `https://localhost:<port>/…`.
    pub fn url(&self, path: &str) -> String {
        assert!(path.starts_with('/'), "{path}");
        format!("{}://localhost:{}{path}", self.scheme, self.address.port())
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The certificate of the authority that signed this server's, in PEM.
    pub fn ca_pem(&self) -> &'static str {
        Authority::of_the_tests().pem()
    }

    /// From now on this path answers so.
    pub fn put(&self, path: &str, reply: Reply) {
        self.put_sequence(path, [reply]);
    }

    /// From now on this path answers with these in turn, and with the last for ever after.
    pub fn put_sequence(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        let replies: VecDeque<Reply> = replies.into_iter().collect();
        assert!(!replies.is_empty());
        self.shared.state().routes.insert(path.to_owned(), replies);
    }

    /// The next `times` requests of a path are answered with `first`, then it is as it was.
    pub fn put_first(&self, path: &str, times: usize, first: Reply) {
        let mut state = self.shared.state();
        let replies = state.routes.get_mut(path).unwrap_or_else(|| panic!("nothing is served at {path}"));
        for _ in 0..times {
            replies.push_front(first.clone());
        }
    }

    /// Requests of this path are written down and wait for [`Server::let_go`].
    pub fn hold_back(&self, path: &str) {
        self.shared.state().held_back.insert(path.to_owned());
    }

    /// From now on every connection is closed when a second request arrives on it.
    pub fn one_request_a_connection(&self) {
        self.shared.state().one_request_each = true;
    }

    /// Answers the requests that were held back.
    pub fn let_go(&self, path: &str) {
        self.shared.state().held_back.remove(path);
    }

    /// Changes what a path answers: `server.change(path, |reply| reply.cut_after(10))`.
    pub fn change(&self, path: &str, change: impl Fn(Reply) -> Reply) {
        let mut state = self.shared.state();
        let replies = state.routes.get_mut(path).unwrap_or_else(|| panic!("nothing is served at {path}"));
        *replies = replies.drain(..).map(change).collect();
    }

    /// A chain of so many redirects from one path to the next, ending at `end`.
    pub fn put_redirects(&self, start: &str, hops: usize, end: &str) {
        assert!(hops > 0);
        let place = |hop: usize| if hop == 0 { start.to_owned() } else { format!("{start}-{hop}") };
        for hop in 0..hops {
            let to = if hop + 1 == hops { end.to_owned() } else { place(hop + 1) };
            self.put(&place(hop), Reply::redirect(to));
        }
    }

    /// From now on this path is a 404.
    pub fn remove(&self, path: &str) {
        self.shared.state().routes.remove(path);
    }

    /// The next so many connections are reset as soon as they are accepted.
    pub fn reset_connections(&self, count: usize) {
        self.shared.state().resets = count;
    }

    /// Pulls the plug: open connections are cut, new ones refused.
    pub fn go_dark(&self) {
        self.order(Order::GoDark);
    }

    /// Puts the plug back in, at the same address.
    pub fn come_back(&self) {
        self.order(Order::ComeBack);
    }

    fn order(&self, order: impl FnOnce(oneshot::Sender<()>) -> Order) {
        let (done, wait) = oneshot::channel();
        let orders = self.orders.as_ref().expect("the server runs until it is dropped");
        orders.send(order(done)).expect("the server's thread is gone");
        wait.blocking_recv().expect("the server's thread is gone");
    }

    /// Every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
    }

    /// The requests of one path.
    pub fn requests_of(&self, path: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.path == path).collect()
    }

    /// The paths asked for, in the order of arrival.
    pub fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }

    /// How many connections were accepted.
    pub fn connections(&self) -> usize {
        self.shared.state().connections
    }

    /// The most requests that were under way at one moment.
    pub fn most_in_flight(&self) -> usize {
        self.shared.state().most_in_flight
    }

    /// Forgets the requests and counts so far.
    pub fn forget(&self) {
        let mut state = self.shared.state();
        state.requests.clear();
        state.connections = 0;
        state.most_in_flight = state.in_flight;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread was printed; panicking again while a test unwinds would hide the test's.
            let _ = thread.join();
        }
    }
}

fn run(
    listener: std::net::TcpListener,
    tls: Option<Arc<ServerConfig>>,
    shared: Arc<Shared>,
    inbox: mpsc::UnboundedReceiver<Order>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(connection::serve(listener, tls, shared, inbox));
    runtime.shutdown_background();
}
