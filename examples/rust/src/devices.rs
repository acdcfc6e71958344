//! The product's devices: here a file of JSON, in a product a table.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use pushwake::contract::Device;

/// Every device that is registered, as the contract has them.
pub fn read(path: &Path) -> Result<Vec<Device>, Box<dyn Error>> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

/// Forgets the devices for which `dead` is true. Says whether there was one.
pub fn forget(path: &Path, dead: impl Fn(&Device) -> bool) -> Result<bool, Box<dyn Error>> {
    let devices = read(path)?;
    let (gone, left): (Vec<_>, Vec<_>) = devices.into_iter().partition(|device| dead(device));
    if gone.is_empty() {
        return Ok(false);
    }
    let fresh = path.with_extension("new");
    std::fs::File::create(&fresh)?.write_all(&serde_json::to_vec_pretty(&left)?)?;
    std::fs::rename(fresh, path)?;
    Ok(true)
}
