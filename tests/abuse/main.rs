//! Strangers who take more than their share: each attack that a server on the internet meets, through the program itself.

mod bytes;
mod connections;
mod keys;
mod mistakes;
mod quotas;
mod small_print;
mod sql;
mod statistics;
mod tables;
mod turns;
mod work;
