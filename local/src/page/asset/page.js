// Fetches the page again and swaps its contents, so that the scroll position, and what is typed, stay as they are.
const every = 2000;

async function refresh() {
  const failed = document.getElementById("gone");
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["live", "state"]) {
      const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
      if (old && next) old.replaceWith(document.adoptNode(next));
    }
    document.title = fresh.title;
    document.body.dataset.refreshed = Number(document.body.dataset.refreshed ?? 0) + 1;
    failed.hidden = true;
  } catch {
    failed.hidden = false;
  }
}

async function follow() {
  const selected = () => !window.getSelection().isCollapsed;
  if (!document.hidden && !selected()) await refresh();
  setTimeout(follow, every);
}

setTimeout(follow, every);
