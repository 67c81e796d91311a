//! TLS to the database. What `sslmode` and `sslrootcert` of an address mean, or else `PGSSLMODE` and `PGSSLROOTCERT`:
//!
//! | `sslmode` | TLS | the server's certificate |
//! |---|---|---|
//! | `disable` | never | |
//! | `prefer`, the default | where the server has it | is not looked at |
//! | `require` | always | is checked if `sslrootcert` is given |
//! | `verify-full` | always | is checked: by `sslrootcert`, else by the roots of the system |
//!
//! Checked are the chain of a certificate and the name of the host, which is more than libpq does for `require`. A socket in the file system needs no TLS.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What an address says of TLS.
pub(crate) struct Wanted {
    mode: String,
    roots: Option<PathBuf>,
}

impl Wanted {
    /// Takes it out of an address, since nobody else knows all of it.
    pub(crate) fn take(address: &str) -> (String, Wanted) {
        let (place, settings) = address.split_once('?').unwrap_or((address, ""));
        let (mut mode, mut roots) = (env::var("PGSSLMODE").ok(), env::var_os("PGSSLROOTCERT"));
        let mut others = Vec::new();
        for setting in settings.split('&') {
            match setting.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value.to_owned()),
                Some(("sslrootcert", value)) => {
                    let value = percent_decode_str(value).decode_utf8_lossy();
                    roots = Some(value.into_owned().into());
                }
                Some(_) | None => others.push(setting),
            }
        }
        let mode = mode.unwrap_or_else(|| "prefer".to_owned());
        let wanted = Wanted { mode, roots: roots.map(PathBuf::from) };
        (format!("{place}?{}", others.join("&")), wanted)
    }

    /// How to ask for it, and whether the certificate is checked. The error says which modes there are.
    pub(crate) fn understood(&self) -> Result<(SslMode, bool), String> {
        match (self.mode.as_str(), &self.roots) {
            ("disable", _) => Ok((SslMode::Disable, false)),
            ("prefer", _) => Ok((SslMode::Prefer, false)),
            ("require", roots) => Ok((SslMode::Require, roots.is_some())),
            ("verify-full", _) => Ok((SslMode::Require, true)),
            _ => Err("sslmode is disable, prefer, require or verify-full".to_owned()),
        }
    }

    /// How to ask for it, and how to do it. The error is what is wrong.
    pub(crate) fn ready(self) -> Result<(SslMode, MakeRustlsConnect), String> {
        let (mode, is_checked) = self.understood()?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider));
        let config =
            config.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
        let config = if is_checked {
            config.with_root_certificates(roots(self.roots.as_deref())?)
        } else {
            config.dangerous().with_custom_certificate_verifier(Arc::new(Unchecked(provider)))
        };
        Ok((mode, MakeRustlsConnect::new(config.with_no_client_auth())))
    }
}

/// The certificates that others are checked by.
fn roots(file: Option<&Path>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let (certificates, from) = match file {
        Some(file) => {
            let unread = |error| format!("sslrootcert {}: {error}", file.display());
            let read = CertificateDer::pem_file_iter(file).map_err(unread)?;
            (read.collect::<Result<Vec<_>, _>>().map_err(unread)?, file.display().to_string())
        }
        None => (rustls_native_certs::load_native_certs().certs, "the system".to_owned()),
    };
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        return Err(format!("there is no root certificate in {from}; name a file by sslrootcert"));
    }
    Ok(roots)
}

/// Takes every certificate: what is sent is secret to who only listens, and to nobody who stands in between.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
