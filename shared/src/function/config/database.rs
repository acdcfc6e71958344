//! Where the queue's Postgres is.

use std::net::IpAddr;
use std::path::PathBuf;

use super::Name;
use super::reading::Reading;
use crate::function::secret::SecretRef;

/// Where the queue's Postgres is.
#[derive(Clone, Debug)]
pub struct Database {
    /// Host name, address, or the folder of a socket.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Name of the database.
    pub name: String,
    /// Role.
    pub user: String,
    /// Where the role's password is; none where Postgres asks for none.
    pub password: Option<SecretRef>,
    /// A token of IAM is the password, and `password` is not looked at.
    pub iam: bool,
    /// How the connection is secured.
    pub tls: Tls,
    /// A CA in PEM instead of the system's.
    pub ca: Option<PathBuf>,
    /// Behind a transaction pooler, where no statement can stay prepared.
    pub pooler: bool,
    /// The function's name, as its connections carry it in `pg_stat_activity`.
    pub application: &'static str,
}

/// How a connection is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// TLS; certificate and host name are verified.
    VerifyFull,
    /// None: on this machine only.
    Off,
}

pub(super) fn read(reading: &mut Reading<'_>, application: &'static str) -> Database {
    let database = Database {
        host: reading.required(Name::DatabaseHost),
        port: reading.number(Name::DatabasePort, 1..=u16::MAX).unwrap_or(5432),
        name: reading.required(Name::DatabaseName),
        user: reading.required(Name::DatabaseUser),
        password: reading.secret(Name::DatabasePassword),
        iam: reading.choice(Name::DatabaseIam, [("true", true), ("false", false)], false),
        tls: reading.choice(Name::DatabaseTls, [("verify-full", Tls::VerifyFull), ("off", Tls::Off)], Tls::VerifyFull),
        ca: reading.optional(Name::DatabaseCa).map(PathBuf::from),
        pooler: reading.choice(Name::DatabasePooler, [("true", true), ("false", false)], false),
        application,
    };
    if database.tls == Tls::Off && !database.host.is_empty() && !on_this_machine(&database.host) {
        reading
            .fault(Name::DatabaseTls, "must be `verify-full` unless DATABASE_HOST is a loopback address or a socket");
    }
    database
}

fn on_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.starts_with('/') || host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
