import { readdirSync, readFileSync } from "node:fs"

/**
 * The processor time that this process, and servers with their child processes, have used, in microseconds. Unlike elapsed
 * time, it hardly depends on what else runs on the machine. Needs Linux.
 *
 * @param {Readonly<Record<string, number>>} pids of the servers, by name
 * @returns {Record<string, number>}
 */
export function processorTimes(pids) {
  const { user, system } = process.cpuUsage()
  const servers = Object.entries(pids).map(([name, pid]) => [
    name,
    familyOf(pid).reduce((total, one) => total + timeOf(one), 0),
  ])
  return { client: user + system, ...Object.fromEntries(servers) }
}

function familyOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return [pid, ...children.split(" ").filter(Boolean).map(Number)]
}

/** The kernel counts nanoseconds for each thread. A process may end while this reads. */
function timeOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]))
    return times.reduce((total, time) => total + time, 0) / 1000
  } catch {
    return 0
  }
}
