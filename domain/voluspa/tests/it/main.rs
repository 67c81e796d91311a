//! Völuspá passes what every game must pass, and what its own rules say.

#[cfg(test)]
mod fixtures;

#[cfg(test)]
mod agreement;

#[cfg(test)]
mod awards;

#[cfg(test)]
mod cases;

#[cfg(test)]
mod chance;

#[cfg(test)]
mod conformance;

#[cfg(test)]
mod data;

#[cfg(test)]
mod ending;

#[cfg(test)]
mod fuzzing;

#[cfg(test)]
mod oracle;

#[cfg(test)]
mod playthroughs;

#[cfg(test)]
mod refused;

#[cfg(test)]
mod secrets;
