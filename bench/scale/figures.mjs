import { mega, rate, milli, table } from "./report.mjs"
import { shown } from "./rows.mjs"

const most = (rows) => rows.reduce((max, { sessions }) => Math.max(max, sessions), 0)

/** The tables in docs/evidence/scaling.md, by name. */
export function figuresOf(results) {
  const { reads, sizes, sweep, requests } = results
  return {
    ...(reads.length > 0 && { reads: readsFigures(results), growth: growthFigures(results) }),
    ...(sizes.length > 0 && requests && { costs: costFigures(results) }),
    ...(sweep && { sweep: sweepFigures(sweep) }),
  }
}

/** Replaces the tables between `<!-- figures: name -->` and `<!-- end -->`. */
export function withFigures(text, results) {
  return Object.entries(figuresOf(results)).reduce((page, [name, figures]) => {
    const [start, end] = [`<!-- figures: ${name} -->`, "<!-- end -->"]
    const [before, rest] = page.split(start)
    if (rest === undefined) throw new Error(`The page has no ${start}`)
    return `${before}${start}\n\n${figures}\n\n${rest.slice(rest.indexOf(end))}`
  }, text)
}

function readsFigures({ reads, peers }) {
  const counts = [...new Set(reads.map(({ connections }) => connections))]
  const rows = Object.keys(peers).flatMap((peer) => {
    const own = reads.filter((one) => one.peer === peer)
    const sessions = most(own)
    const cell = (count) => {
      const { p50, p99, perSecond } = own.find((one) => one.sessions === sessions && one.connections === count)
      return `${milli(p50)} / ${milli(p99)}, ${rate(perSecond)}`
    }
    return own.length === 0 ? [] : [[peers[peer], shown(sessions), ...counts.map(cell)]]
  })
  return table(["Adapter", "Sessions", ...counts.map((count) => `${count} connection${count === 1 ? "" : "s"}`)], rows)
}

/** What a read takes of each processor, and how that grows. */
function growthFigures({ reads, sizes, peers }) {
  const busiest = 8
  const micro = (value) => `${Math.round(value)} µs`
  const rows = Object.keys(peers).flatMap((peer) => {
    const own = reads.filter((one) => one.peer === peer && one.connections === busiest)
    if (own.length === 0) return []
    const [first, last] = [own[0], own.at(-1)]
    const pages = sizes.map((one) => one.pages[peer]).filter((value) => value !== undefined)
    return [
      [
        peers[peer],
        `${shown(first.sessions)} → ${shown(last.sessions)}`,
        pages.length === 0 ? "–" : `${pages[0].toFixed(1)} → ${pages.at(-1).toFixed(1)}`,
        `${micro(first.cpu.postgres)} → ${micro(last.cpu.postgres)}`,
        `${micro(first.cpu.redis ?? 0)} → ${micro(last.cpu.redis ?? 0)}`,
        `${micro(first.cpu.client)} → ${micro(last.cpu.client)}`,
      ],
    ]
  })
  return table(
    ["Adapter", "Sessions", "Pages of 8 kB", "Processor of PostgreSQL", "of Redis", "of the application"],
    rows,
  )
}

const layouts = { own: "own", same: "auth", auth: "auth", cache: "own" }

function costFigures({ requests, sizes, peers }) {
  const rows = Object.keys(requests).map((peer) => {
    const measured = sizes.filter(({ redis }) => layouts[peer] !== undefined || redis[peer] !== undefined)
    const { sessions, tables, redis } = measured.reduce((max, one) => (one.sessions > max.sessions ? one : max))
    const disk = tables[layouts[peer]]?.find((one) => one.table === "sessions")
    const each = (step) => {
      const { sql, redis: asked } = requests[peer][step]
      return [sql > 0 && `${sql} SQL`, asked > 0 && `${asked} Redis`].filter(Boolean).join(", ")
    }
    return [
      peers[peer],
      disk === undefined ? "–" : mega(((disk.bytes + disk.indexBytes) / sessions) * 1e6),
      redis[peer]?.perSession === undefined ? "–" : mega(redis[peer].perSession * 1e6),
      each("later session read"),
      each("sign-in of a known user"),
      each("sign-out"),
    ]
  })
  return table(
    [
      "Adapter",
      "Disk for a million sessions",
      "RAM of Redis for a million sessions",
      "Requests of a session read",
      "of a sign-in",
      "of a sign-out",
    ],
    rows,
  )
}

function sweepFigures({ expired, batchSize, pauseMs, connections, before, during, seconds, batches, longest }) {
  return table(
    ["", "Measured"],
    [
      ["Deleted", `${shown(expired)} sessions in ${batches} batches of ${batchSize}, with pauses of ${pauseMs} ms`],
      ["Duration", `${seconds.toFixed(0)} s`],
      ["Longest batch, with its pause", milli(longest)],
      [`p50 / p99 of reads over ${connections} connections before`, `${milli(before.p50)} / ${milli(before.p99)}`],
      ["p50 / p99 of reads meanwhile", `${milli(during.p50)} / ${milli(during.p99)}`],
    ],
  )
}
