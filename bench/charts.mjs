/*
 * The page about performance: charts for light and dark pages, and the figures below them.
 */

/** The scenarios of the charts, in the words of the page. */
const shown = [
  ["get-session", "The session in middleware, cookie"],
  ["session-read", "GET /session, cookie"],
  ["database-postgres", "GET /session, PostgreSQL"],
  ["credentials-sign-in", "Sign-in with credentials"],
  ["oidc-flow", "Sign-in with OpenID, start and callback"],
]

const peers = ["Latchkey", "@auth/core", "better-auth", "iron-session"]

const schemes = {
  light: { text: "#1f2328", muted: "#59636e", own: "#0969da", other: "#c8d1da" },
  dark: { text: "#f0f6fc", muted: "#9198a1", own: "#4493f8", other: "#3d444d" },
}

const [width, left, right, rowHeight, titleHeight] = [760, 110, 90, 22, 34]

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const shortTime = (us) => (us >= 1000 ? `${(us / 1000).toFixed(1)} ms` : `${us.toFixed(us < 100 ? 1 : 0)} µs`)

/** @param {readonly import("./report.mjs").Row[]} rows */
function groupsOf(rows) {
  return shown.flatMap(([id, title]) => {
    const timings = rows.find((row) => row.id === id)?.numbers.timings
    const bars = peers.flatMap((peer) => (timings?.[peer] ? [{ peer, us: timings[peer].us }] : []))
    return bars.length > 1 ? [{ title, bars }] : []
  })
}

/** Bars of one group share a scale: a sign-in and a read differ too much for one. */
function svg(groups, { text, muted, own, other }) {
  let y = 0
  const body = groups.flatMap(({ title, bars }) => {
    const most = Math.max(...bars.map(({ us }) => us))
    const heading = `<text x="0" y="${y + 20}" fill="${text}" font-weight="600">${escaped(title)}</text>`
    y += titleHeight
    const lines = bars.map(({ peer, us }) => {
      const length = Math.max(2, ((width - left - right) * us) / most)
      const [middle, isOwn] = [y + rowHeight / 2, peer === "Latchkey"]
      y += rowHeight
      return [
        `<text x="${left - 10}" y="${middle + 4}" fill="${isOwn ? text : muted}" text-anchor="end">${peer}</text>`,
        `<rect x="${left}" y="${middle - 7}" width="${length.toFixed(1)}" height="14" rx="3" fill="${isOwn ? own : other}"/>`,
        `<text x="${(left + length + 8).toFixed(1)}" y="${middle + 4}" fill="${isOwn ? text : muted}">${shortTime(us)}</text>`,
      ].join("")
    })
    y += 10
    return [heading, ...lines]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="Time per request, side by side" font-family="system-ui, sans-serif" font-size="13">
${body.join("\n")}
</svg>
`
}

function tableOf(groups) {
  const cell = (bars, peer) => {
    const found = bars.find((bar) => bar.peer === peer)
    return found === undefined ? "–" : shortTime(found.us)
  }
  return [
    `| | ${peers.map((peer) => (peer === "Latchkey" ? peer : `\`${peer}\``)).join(" | ")} |`,
    `| --- |${" ---: |".repeat(peers.length)}`,
    ...groups.map(({ title, bars }) => `| ${title} | ${peers.map((peer) => cell(bars, peer)).join(" | ")} |`),
  ].join("\n")
}

/** Replaces what is between the markers of a page. @param {string} page @param {string} figures */
function withFigures(page, figures) {
  const [start, end] = ["<!-- figures -->", "<!-- end of figures -->"]
  const [before, rest = ""] = page.split(start)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`docs/performance.md lacks ${start} and ${end}`)
  return `${before}${start}\n\n${figures}\n\n${end}${after}`
}

/**
 * @param {readonly import("./report.mjs").Row[]} rows
 * @param {string} page the page as it is
 * @returns {Readonly<Record<string, string>>} files by their path in `docs/`
 */
export function pages(rows, page) {
  const groups = groupsOf(rows)
  return {
    "images/performance-light.svg": svg(groups, schemes.light),
    "images/performance-dark.svg": svg(groups, schemes.dark),
    "performance.md": withFigures(page, tableOf(groups)),
  }
}
