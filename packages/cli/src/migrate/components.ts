/**
 * The code in a Vue, Svelte or Astro file. Everything else becomes spaces, so that positions stay the same.
 */
export function codeIn(path: string, text: string): string {
  const pattern = path.endsWith(".astro")
    ? /^---\r?\n([^]*?)^---|<script\b[^>]*>([^]*?)<\/script>/gm
    : /<script\b[^>]*>([^]*?)<\/script>/g
  const ranges = [...text.matchAll(pattern)].map((match) => {
    const code = match[1] ?? match[2] ?? ""
    const start = match.index + match[0].indexOf(">") + 1
    const from = match[0].startsWith("---") ? match.index + match[0].indexOf("\n") + 1 : start
    return { start: from, end: from + code.length }
  })
  let at = 0
  let result = ""
  for (const { start, end } of ranges) {
    result += blank(text.slice(at, start)) + text.slice(start, end)
    at = end
  }
  return result + blank(text.slice(at))
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ")
}
