//! A private CA, and a Postgres that serves a certificate of it.

use local::postgres::Cluster;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// A CA of its own, and a certificate for one name with its key, all in PEM.
pub struct Issued {
    /// The CA.
    pub ca: String,
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// Makes them for a host.
pub fn issue(name: &str) -> Issued {
    let ca_key = KeyPair::generate().expect("a key");
    let mut ca = CertificateParams::new(Vec::new()).expect("parameters");
    ca.distinguished_name.push(DnType::CommonName, format!("the CA of {name}"));
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let ca_pem = ca.self_signed(&ca_key).expect("a CA").pem();
    let key = KeyPair::generate().expect("a key");
    let leaf = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
    let certificate = leaf.signed_by(&key, &Issuer::new(ca, ca_key)).expect("a certificate").pem();
    Issued { ca: ca_pem, certificate, key: key.serialize_pem() }
}

/// Gives the server a certificate, written by itself so that the key is its own user's alone, and refuses plain text.
pub async fn serve(cluster: &Cluster, issued: &Issued) {
    let mut sql = PgConnection::connect_with(&cluster.admin()).await.expect("the superuser");
    for (file, text) in [("tls.crt", &issued.certificate), ("tls.key", &issued.key)] {
        let copy = format!(
            "copy (select line from regexp_split_to_table('{}', E'\\n') as line where line <> '')
             to program 'umask 077; cat > {file}'",
            text.replace("\r\n", "\n")
        );
        sqlx::raw_sql(AssertSqlSafe(copy)).execute(&mut sql).await.expect(file);
    }
    for set in ["ssl_cert_file = 'tls.crt'", "ssl_key_file = 'tls.key'", "ssl = 'on'"] {
        sqlx::raw_sql(AssertSqlSafe(format!("alter system set {set}"))).execute(&mut sql).await.expect(set);
    }
    sqlx::raw_sql("select pg_reload_conf()").execute(&mut sql).await.expect("reloaded");
    sql.close().await.expect("closed");
}
