// Starts Pyodide in Node, and compiles the Python modules of a page in a folder: node bytecode.mjs FOLDER PROGRAM
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, program] = process.argv;
const read = (path) => new Uint8Array(readFileSync(path));

const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/pyodide/`, env: { MESSAGEGEN_PROGRESS: "0" } });
python.unpackArchive(read(`${folder}/packages.zip`), "zip", { extractDir: "/packages" });
python.unpackArchive(read(`${folder}/specs.zip`), "zip", { extractDir: "/specs" });
python.unpackArchive(read(`${folder}/pyodide/python_stdlib.zip`), "zip", { extractDir: "/stdlib" });
python.runPython(readFileSync(program, "utf8"));
for (const name of ["packages.zip", "pyodide/python_stdlib.zip"]) {
  writeFileSync(`${folder}/${name}`, python.FS.readFile(`/compiled/${name.split("/").pop()}`));
}
