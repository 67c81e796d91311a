//! What the system tells of this process, under the names that all exporters use. Elsewhere than on Linux nothing.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use super::text::{Kind, Text, real};

/// The kernel counts the time of processes in hundredths of a second.
const TICKS: f64 = 100.0;

/// Writes them of a process that began then.
pub(super) fn write(text: &mut Text, started: SystemTime) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| real(kib << 10))
    };
    text.value(
        Kind::Gauge,
        "process_resident_memory_bytes",
        "Resident memory size in bytes.",
        kib("VmRSS:"),
    );
    text.value(
        Kind::Gauge,
        "process_virtual_memory_bytes",
        "Virtual memory size in bytes.",
        kib("VmSize:"),
    );
    let open = fs::read_dir("/proc/self/fd").ok().map(|entries| real(entries.count() as u64));
    text.value(Kind::Gauge, "process_open_fds", "Number of open file descriptors.", open);
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let most = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most = most.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    text.value(
        Kind::Gauge,
        "process_max_fds",
        "Maximum number of open file descriptors.",
        most.map(real),
    );
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<u64> = stat
        .rsplit_once(')')
        .map(|(_, fields)| fields.split_whitespace().skip(1))
        .into_iter()
        .flatten()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    // Counted from the field after the name, which is the state.
    let (user, system) = (fields.get(10), fields.get(11));
    let cpu = user.zip(system).map(|(user, system)| real(user + system) / TICKS);
    text.value(
        Kind::Counter,
        "process_cpu_seconds_total",
        "Total user and system CPU time spent in seconds.",
        cpu,
    );
    let start = started.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64());
    text.value(
        Kind::Gauge,
        "process_start_time_seconds",
        "Start time of the process since unix epoch in seconds.",
        start,
    );
}
