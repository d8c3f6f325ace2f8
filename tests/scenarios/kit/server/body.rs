use super::reply::{Pace, Reply};
use bytes::Bytes;
use hyper::body::{Body, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

const CHUNK: usize = 64 * 1024;

/// A body that is sent as its reply says. It never tells its size, so a lying `Content-Length` goes out as it is.
pub(super) struct PacedBody<Guard> {
    chunks: mpsc::Receiver<Bytes>,
    /// Lives as long as the body does: how the server counts what is in flight.
    _guard: Guard,
}

impl<Guard> PacedBody<Guard> {
    /// Starts sending. `cut` ends the connection at once.
    pub(super) fn of(reply: &Reply, cut: Arc<Notify>, guard: Guard) -> Self {
        let (sender, chunks) = mpsc::channel(1);
        tokio::spawn(send(reply.pace, reply.body.clone(), sender, cut));
        PacedBody { chunks, _guard: guard }
    }
}

impl<Guard: Unpin> Body for PacedBody<Guard> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.chunks.poll_recv(context).map(|chunk| chunk.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Sends the body at its pace; returns early when the reader is gone, which is no fault of the test.
async fn send(pace: Pace, mut body: Bytes, sender: mpsc::Sender<Bytes>, cut: Arc<Notify>) {
    let first = match pace {
        Pace::CutAfter(bytes) | Pace::StallAfter(bytes) => body.split_to(bytes.min(body.len())),
        Pace::AtOnce | Pace::Dribble(..) | Pace::Endless => body.clone(),
    };
    let step = if let Pace::Dribble(bytes, _) = pace { bytes } else { CHUNK };
    loop {
        let mut rest = first.clone();
        while !rest.is_empty() {
            let chunk = rest.split_to(step.min(rest.len()));
            if sender.send(chunk).await.is_err() {
                return;
            }
            if let Pace::Dribble(_, pause) = pace {
                tokio::time::sleep(pause).await;
            }
        }
        match pace {
            Pace::Endless => {}
            Pace::AtOnce | Pace::Dribble(..) => return,
            Pace::StallAfter(_) => return sender.closed().await,
            Pace::CutAfter(_) => {
                // What was sent so far should leave the building before the line goes.
                tokio::time::sleep(Duration::from_millis(20)).await;
                cut.notify_one();
                return sender.closed().await;
            }
        }
    }
}
