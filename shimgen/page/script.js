/* Comforts only: tables sort by a click, long ones can be searched, marks say their name at once. */
(function () {
  "use strict";

  function cellValue(row, column) {
    var cell = row.cells[column];
    if (!cell) return null;
    if (cell.hasAttribute("data-v")) return Number(cell.getAttribute("data-v"));
    if (cell.classList.contains("num")) return null;
    return cell.textContent.trim();
  }

  // Rows without a value stay last in both directions.
  function compare(a, b, sign) {
    if (a.value === null || b.value === null)
      return (a.value === null) - (b.value === null) || a.index - b.index;
    var order = typeof a.value === "number" && typeof b.value === "number"
      ? a.value - b.value : String(a.value).localeCompare(String(b.value), "en", { numeric: true });
    return sign * order || a.index - b.index;
  }

  function sortBy(table, heading, column) {
    var number = heading.classList.contains("num");
    var before = heading.getAttribute("aria-sort");
    var direction = before ? (before === "ascending" ? "descending" : "ascending") : number ? "descending" : "ascending";
    table.querySelectorAll("[aria-sort]").forEach(function (other) { other.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", direction);
    var body = table.tBodies[0];
    Array.from(body.rows).map(function (row, index) {
      return { row: row, index: index, value: cellValue(row, column) };
    }).sort(function (a, b) {
      return compare(a, b, direction === "ascending" ? 1 : -1);
    }).forEach(function (entry) { body.appendChild(entry.row); });
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    var keys = table.tHead.rows[table.tHead.rows.length - 1];
    Array.from(keys.cells).forEach(function (heading, column) {
      if (heading.querySelector("svg")) return;
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append.apply(button, Array.from(heading.childNodes));
      button.addEventListener("click", function () { sortBy(table, heading, column); });
      heading.appendChild(button);
    });
  });

  document.querySelectorAll("table.searchable").forEach(function (table) {
    var label = document.createElement("label");
    var input = document.createElement("input");
    label.className = "search-label";
    label.textContent = "Search this table ";
    input.type = "search";
    input.className = "search";
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      Array.from(table.tBodies[0].rows).forEach(function (row) {
        row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
      });
    });
    label.appendChild(input);
    table.parentNode.before(label);
  });

  // The browser's own tooltip comes late: show the mark's <title> at once, and give it back afterwards.
  var tip = document.createElement("div");
  var at = null, title = null;
  tip.className = "tip";
  tip.hidden = true;
  document.body.appendChild(tip);
  function leave() {
    if (title) at.insertBefore(title, at.firstChild);
    at = title = null;
    tip.hidden = true;
  }
  document.addEventListener("pointerover", function (event) {
    var mark = event.target.closest ? event.target.closest(".mark") : null;
    if (mark === at) return;
    leave();
    title = mark ? mark.querySelector("title") : null;
    if (!title) return;
    at = mark;
    tip.textContent = title.textContent;
    title.remove();
    tip.hidden = false;
    var box = mark.getBoundingClientRect(), size = tip.getBoundingClientRect();
    var left = Math.min(box.right + 8, window.innerWidth - size.width - 8);
    var top = box.top - size.height - 6;
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = (top > 0 ? top : box.bottom + 6) + "px";
  });
  document.addEventListener("scroll", leave, { passive: true });
})();
