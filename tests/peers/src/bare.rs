//! actix-web with nothing behind it: it reads a body, and answers with one that is ready.

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, rt, web};

pub(crate) fn serve(size: usize) {
    rt::System::new().block_on(async {
        let body = web::Bytes::from("x".repeat(size));
        let server = HttpServer::new(move || {
            let body = body.clone();
            let answer = move |asked: web::Bytes| {
                let body = body.clone();
                async move {
                    assert!(!asked.is_empty());
                    HttpResponse::Created().content_type(ContentType::json()).body(body)
                }
            };
            App::new().route("/v1/matches/{id}/commands", web::post().to(answer))
        });
        let server = server.bind("127.0.0.1:0").expect("a free port");
        println!("listening on http://{}", server.addrs()[0]);
        server.run().await.expect("it serves");
    });
}
