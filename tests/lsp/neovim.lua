-- Opens a template in Neovim with the language server and writes the findings to a file; with `edit`, applies a fix and
-- renames. Arguments: the Python that has Heat Studio, the template, the file for the findings, `look` or `edit`.
local python, template, report, task = unpack(vim.v.argv, #vim.v.argv - 3)

local function wait(what, is_done)
  if not vim.wait(120000, is_done, 50) then
    error('no ' .. what)
  end
end

local function buffer()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local function preferred_fix(line, column)
  local position = { line = line, character = column }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = position, ['end'] = position },
    context = { diagnostics = {}, only = { 'quickfix' } },
  }, 120000)
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result) do
      if action.isPreferred then
        return action.edit
      end
    end
  end
end

local function main()
  vim.cmd('edit ' .. vim.fn.fnameescape(template))
  local client = vim.lsp.start_client({
    name = 'heatstudio',
    cmd = { python, '-m', 'heatstudio', 'lsp' },
    root_dir = vim.fn.fnamemodify(template, ':h'),
  })
  vim.lsp.buf_attach_client(0, client)
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)
  vim.fn.writefile({ vim.fn.json_encode(found) }, report)
  if task == 'look' then
    return
  end

  for _, one in ipairs(found) do
    if one.code == 'unknown-property' then
      vim.lsp.util.apply_workspace_edit(preferred_fix(one.lnum, one.col), 'utf-16')
    end
  end

  local before = buffer()
  vim.fn.cursor(1, 1)
  vim.fn.search('title')
  vim.lsp.buf.rename('heading')
  wait('rename', function() return buffer() ~= before end)
  vim.cmd('write')
  vim.lsp.stop_client(client)
end

local is_done, message = pcall(main)
if not is_done then
  io.stderr:write(message)
  vim.cmd('cquit')
end
vim.cmd('qall!')
