#!/usr/bin/env node
import { main } from "./main.js"

// Whoever reads the other end of a pipe may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))
