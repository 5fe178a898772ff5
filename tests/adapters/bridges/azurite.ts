import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import { AzureNamedKeyCredential, TableClient } from "@azure/data-tables"
import { freePort } from "../../servers/process.js"

/** The well-known account of Azurite. */
const account = "devstoreaccount1"
const key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

/** Starts the emulator of Azure Table Storage with an empty table. */
export async function azurite(): Promise<{ client: TableClient; close(): Promise<void> }> {
  const port = await freePort()
  const program = createRequire(import.meta.url).resolve("azurite/dist/src/table/main.js")
  const options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--tableHost", "127.0.0.1"]
  const child = spawn(process.execPath, [program, ...options, "--tablePort", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  await started(child.stdout)
  const credential = new AzureNamedKeyCredential(account, key)
  const client = new TableClient(`http://127.0.0.1:${port}/${account}`, "auth", credential, {
    allowInsecureConnection: true,
  })
  await client.createTable()
  const close = async (): Promise<void> => {
    child.kill()
    await once(child, "exit")
  }
  return { client, close }
}

async function started(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: output })) if (line.includes("successfully started")) return
  throw new Error("Azurite ended before it listened")
}
