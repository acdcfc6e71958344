//! Secrets, by reference: the environment names where a secret is, never the secret itself.

use std::fmt;
use std::path::PathBuf;

use tokio::sync::OnceCell;

use super::aws;

/// Where a secret is: `secretsmanager:<name or ARN>`, or `file:<path>`.
#[derive(Clone, PartialEq, Eq)]
pub enum SecretRef {
    /// Name or ARN in Secrets Manager.
    SecretsManager(String),
    /// A file, as on one machine.
    File(PathBuf),
}

impl SecretRef {
    /// Reads a reference; `None` when it is none, which includes a secret pasted in by mistake.
    pub fn read(text: &str) -> Option<Self> {
        let (scheme, place) = text.split_once(':')?;
        match scheme {
            _ if place.is_empty() || place.contains('\n') => None,
            "secretsmanager" => Some(Self::SecretsManager(place.to_owned())),
            "file" => Some(Self::File(PathBuf::from(place))),
            _ => None,
        }
    }
}

impl fmt::Display for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SecretsManager(id) => write!(f, "secretsmanager:{id}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl fmt::Debug for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A secret. It shows itself only to who asks by name.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Of a secret that is a JSON object (as RDS keeps its password), the string under `key`; else the secret as it is.
    #[must_use]
    pub fn field(self, key: &str) -> Self {
        let object = serde_json::from_str::<serde_json::Map<_, _>>(&self.0).ok();
        match object.as_ref().and_then(|object| object.get(key)).and_then(serde_json::Value::as_str) {
            Some(field) => Self(field.to_owned()),
            None => self,
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A secret that can't be read. The messages hold the reference only.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file is missing or not readable.
    #[error("the secret {0} can't be read: {1}; check the path and who may read it")]
    File(SecretRef, std::io::ErrorKind),
    /// Secrets Manager did not give it out.
    #[error("the secret {0} can't be read: {1}; check its name and the function's policy")]
    SecretsManager(SecretRef, String),
    /// None was signed.
    #[error("no token for the database can be signed: {0}")]
    Token(&'static str),
    /// Nothing in it, or bytes where text belongs.
    #[error("the secret {0} holds no text")]
    NoText(SecretRef),
}

/// Reads secrets. The client of Secrets Manager is built when the first reference asks for it.
#[derive(Debug, Default)]
pub struct Secrets {
    manager: OnceCell<aws_sdk_secretsmanager::Client>,
}

impl Secrets {
    /// Reads one secret; a trailing line break is no part of it.
    pub async fn read(&self, reference: &SecretRef) -> Result<Secret, SecretError> {
        let text = match reference {
            SecretRef::File(path) => tokio::fs::read_to_string(path).await.map_err(|error| match error.kind() {
                std::io::ErrorKind::InvalidData => SecretError::NoText(reference.clone()),
                kind => SecretError::File(reference.clone(), kind),
            })?,
            SecretRef::SecretsManager(id) => self.ask_manager(reference, id).await?,
        };
        match text.trim_end_matches(['\r', '\n']) {
            "" => Err(SecretError::NoText(reference.clone())),
            text => Ok(Secret(text.to_owned())),
        }
    }

    async fn ask_manager(&self, reference: &SecretRef, id: &str) -> Result<String, SecretError> {
        let client = async || aws_sdk_secretsmanager::Client::new(&aws::config().await);
        let manager = self.manager.get_or_init(client).await;
        match Box::pin(manager.get_secret_value().secret_id(id).send()).await {
            Ok(answer) => answer.secret_string.ok_or_else(|| SecretError::NoText(reference.clone())),
            Err(error) => Err(SecretError::SecretsManager(reference.clone(), aws::code(&error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_and_a_pasted_secret_is_none() {
        let arn = "secretsmanager:arn:aws:secretsmanager:eu-central-1:123456789012:secret:db-AbCdEf";
        assert_eq!(SecretRef::read(arn).map(|reference| reference.to_string()).as_deref(), Some(arn));
        assert_eq!(SecretRef::read("file:/run/key.p8"), Some(SecretRef::File("/run/key.p8".into())));
        for none in ["", "file:", "secretsmanager:", "hunter2", "hunter:2", "FILE:/x", "-----BEGIN PRIVATE KEY-----"] {
            assert_eq!(SecretRef::read(none), None, "{none}");
        }
    }

    #[tokio::test]
    async fn a_file_is_read_without_its_last_line_break() {
        let file = std::env::temp_dir().join(format!("pushwake-{}", uuid::Uuid::new_v4()));
        let reference = SecretRef::File(file.clone());
        for (held, expected) in [("one\n", Some("one")), ("a\nb\r\n", Some("a\nb")), ("\n", None), ("", None)] {
            std::fs::write(&file, held).expect("a temporary file");
            let read = Secrets::default().read(&reference).await;
            assert_eq!(read.as_ref().ok().map(Secret::expose), expected, "{held:?}");
        }
        std::fs::write(&file, [0xff, 0xfe]).expect("a temporary file");
        assert!(matches!(Secrets::default().read(&reference).await, Err(SecretError::NoText(_))));
        std::fs::remove_file(&file).expect("the temporary file");
        let missing = Secrets::default().read(&reference).await.expect_err("no file");
        assert!(missing.to_string().contains("check the path"), "{missing}");
    }

    #[test]
    fn a_secret_shows_nothing_and_gives_out_its_field() {
        let rds = Secret(r#"{"username":"push","password":"hunter2"}"#.to_owned());
        assert_eq!(format!("{rds:?}"), "Secret");
        assert_eq!(rds.field("password").expose(), "hunter2");
        for plain in ["hunter2", "{", "12345", r#"{"username":"push"}"#] {
            assert_eq!(Secret(plain.to_owned()).field("password").expose(), plain);
        }
    }
}
