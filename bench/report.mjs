import { cpus } from "node:os"
import { ratio } from "./measure.mjs"
import { betterAuthTasks } from "./peers/better-auth.mjs"

/**
 * One row of the report.
 * @typedef {object} Row
 * @property {string} id
 * @property {string} title
 * @property {string} [latchkey] the measured value with its unit
 * @property {string} [limit]
 * @property {string} [authCore]
 * @property {string} [betterAuth]
 * @property {string} [ironSession]
 * @property {string} [result] the value to compare with the target
 * @property {string} [target]
 * @property {boolean} [pass] `undefined` if it wasn't measured or has no target
 * @property {object} numbers for `--json`
 */

const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))
const micro = (timing) => timing && `${number(timing.us)} µs ±${(timing.spread * 100).toFixed(0)}%`
const peers = ["Latchkey", "limit", "@auth/core", "better-auth", "iron-session"]
const kilo = (bytes) => bytes && `${(bytes / 1000).toFixed(1)} kB`
const plain = ({ us, spread }) => ({ us, spread })

/** @returns {Row} */
export function timingRow({ id, title, target }, timings) {
  const of = (peer) => timings.find((timing) => timing.peer === peer)
  const [latchkey, limit, authCore, betterAuth, ironSession] = peers.map(of)
  const share = latchkey && limit && ratio(latchkey, limit)
  return {
    id,
    title,
    latchkey: micro(latchkey),
    limit: micro(limit),
    authCore: micro(authCore),
    betterAuth: micro(betterAuth),
    ironSession: micro(ironSession),
    note: betterAuth && betterAuthTasks[id].note,
    result: share && `${share.toFixed(2)}×`,
    target: target && `≤ ${target}×`,
    pass: share && target && share <= target,
    numbers: {
      timings: Object.fromEntries(timings.map((timing) => [timing.peer, plain(timing)])),
      ratio: share,
      fasterThanAuthCore: latchkey && authCore && ratio(authCore, latchkey),
      target,
    },
  }
}

/** @returns {Row} */
export function flatRow({ id, title, flatness }, timings) {
  const of = (peer) => timings.filter((timing) => timing.peer === peer)
  const [latchkey, limit, authCore] = peers.map(of)
  const growth = (own) => (own.length > 0 ? ratio(own.at(-1), own[0]) : undefined)
  const cell = (own) => (own.length > 0 ? `${own.map(({ us }) => number(us)).join(" → ")} µs` : undefined)
  return {
    id,
    title,
    latchkey: cell(latchkey),
    limit: cell(limit),
    authCore: cell(authCore),
    result: growth(latchkey) && `${growth(latchkey).toFixed(2)} (${growth(authCore).toFixed(2)})`,
    target: `≤ ${flatness}`,
    pass: growth(latchkey) && growth(latchkey) <= flatness,
    numbers: {
      timings: timings.map((timing) => ({ peer: timing.peer, count: timing.count, ...plain(timing) })),
      growth: growth(latchkey),
    },
  }
}

const sizeRow = (id, title, { latchkey, limit, authCore, betterAuth }, most) => ({
  id,
  title,
  latchkey: kilo(latchkey),
  limit: kilo(limit),
  authCore: kilo(authCore),
  betterAuth: kilo(betterAuth),
  result: kilo(latchkey),
  target: most && `≤ ${most / 1000} kB`,
  pass: most && latchkey && latchkey <= most,
  numbers: { latchkey, limit, authCore, betterAuth, most },
})

/** @returns {Row} */
export const heapRow = (bytes) => sizeRow("heap", "memory allocated per session read", bytes, 14_000)

/** @returns {Row[]} */
export function sizeRows({ check, server, engine }) {
  const pick = (sizes, part) =>
    Object.fromEntries(Object.entries(sizes ?? {}).map(([peer, size]) => [peer, size?.[part]]))
  return [
    sizeRow("size-session-check", "bundle: session check alone (getToken), gzip", pick(check, "total"), 4000),
    sizeRow("size-server-initial", "bundle: createServer, initial, gzip", pick(server, "initial")),
    sizeRow("size-engine-initial", "bundle: engine + OAuth provider, initial, gzip", pick(engine, "initial")),
    sizeRow("size-engine", "bundle: engine + OAuth provider, total, gzip", pick(engine, "total"), 25_000),
  ]
}

/** @returns {Row} */
export function coldRow({ bare, latchkey, authCore }) {
  const share = latchkey && latchkey.ms / authCore.ms
  const cell = (start) => start && `+${start.ms.toFixed(1)} ms ±${(start.spread * 100).toFixed(0)}%`
  return {
    id: "cold-start",
    title: `cold start with one session read, minus bare Node (${bare.ms.toFixed(0)} ms)`,
    latchkey: cell(latchkey),
    authCore: cell(authCore),
    result: share && `${share.toFixed(2)} of the time`,
    target: "≤ 0.5",
    pass: share && share <= 0.5,
    numbers: { bare, latchkey, authCore, share },
  }
}

const head = ["scenario", ...peers, "result", "target", ""]
const verdict = (pass) => (pass === undefined ? "" : pass ? "pass" : "MISS")
const cells = (row) => [
  row.title,
  row.latchkey ?? "n/a",
  row.limit ?? "n/a",
  row.authCore ?? "n/a",
  row.betterAuth ? row.betterAuth + (row.note ? ` (${row.note})` : "") : "n/a",
  row.ironSession ?? "n/a",
  row.result ?? "",
  row.target ?? "",
  verdict(row.pass),
]

/** @param {readonly Row[]} rows */
export function table(rows) {
  const lines = [head, ...rows.map((row) => cells({ ...row, note: undefined }))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join("  ")
      .trimEnd(),
  )
  return `${text[0]}\n${"-".repeat(Math.max(...text.map((line) => line.length)))}\n${text.slice(1).join("\n")}\n\n${summary(rows)}\n`
}

function summary(rows) {
  const judged = rows.filter(({ pass }) => pass !== undefined)
  const missed = judged.filter(({ pass }) => !pass)
  if (judged.length === 0) return `${rows.length} rows, none with Latchkey.`
  return `${judged.length - missed.length} of ${judged.length} targets met${missed.length > 0 ? `; missed: ${missed.map(({ id }) => id).join(", ")}` : ""}.`
}

/** @param {readonly Row[]} rows */
export function markdown(rows) {
  const line = (values) => `| ${values.join(" | ")} |`
  const body = [
    line(head),
    line(head.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map((row) => line(cells(row))),
  ]
  const machine = `${cpus().length} cores, Node ${process.versions.node.split(".")[0]}`
  return `# Results\n\nWritten by \`node bench/run.mjs --write\` on a machine with ${machine}. The [README](README.md) explains the rows.\n\n${body.join("\n")}\n\n${summary(rows)}\n`
}
