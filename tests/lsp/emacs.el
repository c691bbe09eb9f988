;;; emacs.el --- Opens a template with the language server, fixes and renames  -*- lexical-binding: t; -*-

;; Arguments: the Python that has Heat Studio, the template, the file for the problems and suggestions that are found.
;; The template is saved with a fix, a completion and a renaming.

(require 'eglot)
(require 'flymake)
(require 'seq)

(define-derived-mode template-mode text-mode "Template")

(defun wait-for (what is-done)
  "Wait until IS-DONE returns something, and return that; WHAT is missing otherwise."
  (let ((end (+ (float-time) 120)) found)
    (while (not (or (setq found (funcall is-done)) (> (float-time) end)))
      (accept-process-output nil 0.05)
      (sit-for 0.01))
    (or found (error "No %s" what))))

(defun problems ()
  "Return the problems that are shown: the line of each, and its text."
  (mapcar (lambda (one) (vector (line-number-at-pos (flymake-diagnostic-beg one)) (flymake-diagnostic-text one)))
          (flymake-diagnostics)))

(defun go-behind (text)
  "Go behind the first TEXT, and let the server know what was typed."
  (goto-char (point-min))
  (search-forward text)
  (eglot--signal-textDocument/didChange))

(defun preferred-fix ()
  "Return the edit of the preferred fix at point."
  (plist-get (seq-find (lambda (one) (eq (plist-get one :isPreferred) t))
                       (eglot-code-actions (point) (point) "quickfix" nil))
             :edit))

(seq-let (python template report) command-line-args-left
  (setq command-line-args-left nil
        eglot-connect-timeout 120
        eglot-sync-connect 120)
  (add-to-list 'eglot-server-programs `(template-mode . (,python "-m" "heatstudio" "lsp")))
  (find-file template)
  (template-mode)
  (apply #'eglot (eglot--guess-contact))
  (let ((found (progn (flymake-start) (wait-for "problems" #'problems)))
        suggestions)
    (go-behind "flavo")
    (eglot--apply-workspace-edit (preferred-fix) nil)
    (go-behind "flavor: m1")
    (insert "\n      security")
    (eglot--signal-textDocument/didChange)
    (let ((completion (eglot-completion-at-point)))
      (setq suggestions (all-completions "security" (nth 2 completion)))
      (delete-region (nth 0 completion) (nth 1 completion))
      (insert (car suggestions))
      (funcall (plist-get (nthcdr 3 completion) :exit-function) (car suggestions) 'finished))
    (go-behind "titl")
    (eglot-rename "heading")
    (save-buffer)
    (with-temp-file report
      (insert (json-serialize `(:problems ,(vconcat found)
                                :suggestions ,(vconcat (mapcar #'substring-no-properties suggestions)))))))
  (eglot-shutdown (eglot-current-server)))
;;; emacs.el ends here
