import { shown } from "./rows.mjs"

export const milli = (value) =>
  `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ms`
export const mega = (bytes) => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`)
export const rate = (value) => `${Math.round(value).toLocaleString("en-US")}/s`

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

const total = (cpu) => Object.values(cpu).reduce((sum, time) => sum + time, 0)

/** Of the client, PostgreSQL and Redis. */
export function cpuOf({ cpu }) {
  return `${Object.values(cpu)
    .map((time) => Math.round(time))
    .join(" + ")} µs`
}

const unique = (values) => [...new Set(values)]

/** The results as Markdown. */
export function markdown(results) {
  const parts = [head(results)]
  if (results.reads.length > 0)
    parts.push("## Session reads", readsText, readsTable(results), "## Growth", growthTable(results))
  if (results.requests) parts.push("## Requests", requestsText, requestsTable(results))
  if (results.unindexed.length > 0)
    parts.push("## Without an index on the token", unindexedText, readsTable(results, "unindexed"))
  if (results.sizes.length > 0) parts.push("## Sizes", ...sizesOf(results))
  if (results.sweep) parts.push("## Sweep", sweepTable(results.sweep))
  return `${parts.join("\n\n")}\n`
}

function head({ runs, machine, versions, settings }) {
  const list = (values) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${value === "" ? '""' : value}`)
      .join(", ")
  return `# Scale: results

How this is measured: [the benchmark](../README.md#scale).

${runs.map(runOf).join("\n")}
- ${machine.cores} cores (${machine.cpu}), ${machine.gigabytes} GB, Node ${machine.node}. The client and the servers share the cores.
- PostgreSQL ${versions.postgres} with ${list(settings.postgres)}, and Redis with ${list(settings.redis)}. Everything else has its default, such as fsync = on.`
}

/** A later run replaces what it measures again. */
function runOf({ command, date, load }) {
  const loads = `${load.atStart.toFixed(1)} at the start, before anything was measured, and ${load.average15MinutesAtEnd.toFixed(1)} over the last 15 minutes`
  return `- ${date.slice(0, 16).replace("T", " ")} UTC: \`${command}\`. The load average was ${loads}, because other programs ran, too.`
}

const readsText =
  "p50 / p99, reads per second of all connections, and the processor time of a read: client + PostgreSQL + Redis."

const unindexedText =
  "`@auth/pg-adapter` documents its tables without an index on `sessionToken`, so every read scans the whole table, whatever the adapter. `latchkey db plan` prints the index."

function readsTable({ peers, ...results }, part = "reads") {
  const rows = results[part]
  const counts = unique(rows.map(({ connections }) => connections))
  const cell = (one) => (one ? `${milli(one.p50)} / ${milli(one.p99)}, ${rate(one.perSecond)}, ${cpuOf(one)}` : "–")
  return table(
    ["Rows", "Adapter", ...counts.map((count) => `${count} connection${count === 1 ? "" : "s"}`)],
    unique(rows.map(({ sessions }) => sessions)).flatMap((sessions) =>
      unique(rows.map(({ peer }) => peer))
        .filter((peer) => rows.some((one) => one.peer === peer && one.sessions === sessions))
        .map((peer) => [
          shown(sessions),
          peers[peer],
          ...counts.map((count) =>
            cell(rows.find((one) => one.peer === peer && one.sessions === sessions && one.connections === count)),
          ),
        ]),
    ),
  )
}

/** The cost of a read from the smallest to the largest number of rows. */
function growthTable({ reads, sizes, peers }) {
  const [least] = unique(reads.map(({ connections }) => connections))
  const growth = (own, valueOf) => `${(valueOf(own.at(-1)) / valueOf(own[0])).toFixed(2)}×`
  return table(
    [
      "Adapter",
      `p50 with ${least} connection${least === 1 ? "" : "s"}`,
      "Growth",
      "Processor time",
      "Growth",
      "Pages of 8 kB per read",
    ],
    unique(reads.map(({ peer }) => peer)).map((peer) => {
      const own = reads.filter((one) => one.peer === peer && one.connections === least)
      const pages = sizes.map((one) => one.pages[peer]).filter((value) => value !== undefined)
      return [
        peers[peer],
        own.map(({ p50, sessions }) => `${shown(sessions)}: ${milli(p50)}`).join(" → "),
        growth(own, ({ p50 }) => p50),
        own.map(({ cpu }) => `${Math.round(total(cpu))} µs`).join(" → "),
        growth(own, ({ cpu }) => total(cpu)),
        pages.length === 0 ? "–" : pages.map((value) => value.toFixed(1)).join(" → "),
      ]
    }),
  )
}

const layoutNames = { own: "`@latchkey/sql`", auth: "`@auth/pg-adapter`, with an index on the token" }

function sizesOf({ sizes, peers }) {
  const rows = sizes.flatMap(({ sessions, tables }) =>
    Object.entries(tables).flatMap(([layout, list]) =>
      list.map(({ table: name, bytes, indexBytes, indexes }) => {
        const count = name === "users" ? sessions / 5 : sessions
        const each = Object.entries(indexes).map(([index, size]) => `${index} ${mega(size)}`)
        return [
          shown(sessions),
          layoutNames[layout],
          name,
          mega(bytes),
          `${mega(indexBytes)} (${each.join(", ")})`,
          Math.round((bytes + indexBytes) / count),
        ]
      }),
    ),
  )
  const inRedis = sizes.flatMap(({ sessions, redis }) =>
    Object.entries(redis).map(([peer, costs]) => [
      shown(sessions),
      peers[peer],
      costs.requests,
      costs.perSession === undefined ? "–" : Math.round(costs.perSession),
      costs.perUser === undefined ? "–" : Math.round(costs.perUser),
    ]),
  )
  const first = table(["Sessions", "Layout", "Table", "Rows", "Indexes", "Bytes per row"], rows)
  if (inRedis.length === 0) return [first]
  return [
    first,
    table(
      ["Sessions", "Adapter", "Requests to Redis per read", "Bytes of RAM per session", "Bytes of RAM per user"],
      inRedis,
    ),
  ]
}

const requestsText =
  "SQL statements, `begin` and `commit` included, + requests to Redis, of what a user does. `@auth/pg-adapter` is used by `@auth/core`, all others by Latchkey, which stores when and where a session was used. For ten seconds after a write, `redisCache` reads the database."

function requestsTable({ requests, peers }) {
  const steps = Object.keys(Object.values(requests)[0])
  const cell = ({ sql, redis }) => (redis === 0 ? `${sql}` : `${sql} + ${redis}`)
  const rows = Object.entries(requests).map(([peer, own]) => [peers[peer], ...steps.map((step) => cell(own[step]))])
  return table(["Adapter", ...steps], rows)
}

function sweepTable({ expired, batchSize, pauseMs, connections, before, during, seconds, batches, longest }) {
  return `${shown(expired)} expired sessions among ${shown(expired * 1.2)}, in batches of ${batchSize} with pauses of ${pauseMs} ms,
while ${connections} connections read other sessions:

${table(
  ["", "Value"],
  [
    ["Duration", `${seconds.toFixed(0)} s, ${rate(expired / seconds)} rows`],
    ["Batches", batches],
    ["Longest batch, with its pause", milli(longest)],
    [
      "Reads before: p50 / p99 / slowest",
      `${milli(before.p50)} / ${milli(before.p99)} / ${milli(before.most)}, ${rate(before.perSecond)}`,
    ],
    [
      "Reads meanwhile: p50 / p99 / slowest",
      `${milli(during.p50)} / ${milli(during.p99)} / ${milli(during.most)}, ${rate(during.perSecond)}`,
    ],
  ],
)}`
}
