// One spelling (American) and one word per idea, as CONTRIBUTING.md asks.
import { readFileSync } from "node:fs"
import { Failure } from "../shell.mjs"
import { shown, textFiles } from "../workspace.mjs"

/** @type {[RegExp, string][]} */
const bans = [
  [/(?<![\w"'`/.-])e-mails?(?![\w"'`/-])/i, "email"],
  [/\b(?:whoever|whomever)\b/i, "the user, the visitor, the attacker or you"],
  [/\b(?:[Ss]ome|[Nn]o|[Aa]ny|[Ee]very)body\b/, "a user, no user, a visitor, an attacker or you"],
  [/\b(?:colou?r(?<=colour)|behaviour|favour|honour|neighbour|flavour|labour)/i, "the spelling with -or"],
  [/\b\w*(?:authoris|recognis|serialis|normalis|initialis|organis|optimis|customis|synchronis|memoris|minimis|maximis|summaris|canonicalis|tokenis|sanitis|utilis|finalis|categoris|prioritis|generalis|specialis|randomis|anonymis|localis|personalis|standardis|realis|apologis|emphasis(?=e|ing))(?:e[ds]?|ing|ers?|ations?)\b/i, "the spelling with -iz-"],
  [/\bcancell(?:ed|ing)\b/i, "canceled, canceling"],
  [/\b(?:label|travel|model|signal|tunnel)l(?:ed|ing)\b/i, "the spelling with one l"],
  [/\b(?:licence|defence|offence|pretence)s?\b/i, "the spelling with -se"],
  [/\b(?:centre|metre|fibre)[sd]?\b/i, "the spelling with -er"],
  [/\b(?:dialogue|analogue)s?\b/i, "dialog, analog"],
  [/\banalys(?:e[ds]?|ing)\b/i, "analyze"],
  [/\b(?:grey|whilst|amongst|judgement|acknowledgement)\b/i, "the American form"],
]

/** Texts of others: licenses, lists of test cases, other projects' programs, generated reports. */
const foreign = /^(?:LICENSE|tests\/next\/(?:app|docs|intl|swap)\/|packages\/next\/test\/examples\/)|lock\.(?:json|yaml)$/

export async function checkSpelling() {
  const problems = (await textFiles()).filter((path) => !foreign.test(shown(path))).flatMap(problemsIn)
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} path */
function problemsIn(path) {
  // This file spells the words out.
  if (path === import.meta.filename) return []
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      bans.flatMap(([pattern, advice]) => {
        const word = pattern.exec(line)?.[0]
        return word === undefined ? [] : [`${shown(path)}:${index + 1} "${word}": write ${advice}`]
      }),
    )
}
