// A plain static host below a path. It notes what it was asked for.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".txt": "text/plain",
};

export async function serve(folder, below = "/some/where/", headers = {}) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://x");
    asked.push(url.pathname + url.search);
    const path = normalize(decodeURIComponent(url.pathname));
    try {
      if (!path.startsWith(below)) throw new Error("elsewhere");
      const bytes = await readFile(join(folder, path.slice(below.length) || "index.html"));
      response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}${below}`,
    asked,
    close: () => new Promise((done) => server.close(done)),
  };
}
